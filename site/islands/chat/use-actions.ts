import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import type { Message } from '#api/community/model.ts';
import { details } from '../../stores/channel.ts';
import { usePlace } from './context.ts';
import { asked } from './dialog.ts';
import type { Choice } from './Menu.tsx';
import { fill, nameOf } from './words.ts';

/** What this reader may do with a message (decision C4); the server decides in the end. */
export function useActions(message: Message, own: boolean): Choice[] {
  const { words } = usePlace();
  const viewer = useStore(details)?.viewer;
  return useMemo(() => {
    if (!viewer) return [];
    const name = nameOf(message.user, words.deletedAccount);
    const ask = (kind: 'delete' | 'report' | 'block' | 'mute', label: string): Choice => ({
      key: kind,
      label,
      choose: () => asked.set({ kind, message }),
    });
    if (own) return [ask('delete', words.delete)];
    return [
      ask('report', words.report),
      ask('block', fill(words.block, { name })),
      ...(viewer.canModerate
        ? [
            ask('delete', words.delete),
            ...(message.user.isModerator ? [] : [ask('mute', fill(words.mute, { name }))]),
          ]
        : []),
    ];
  }, [viewer, message, own, words]);
}
