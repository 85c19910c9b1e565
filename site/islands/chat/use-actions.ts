import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import type { Message } from '#api/community/model.ts';
import { details } from '../../stores/channel.ts';
import { useChat } from './context.ts';
import { dialogRequest } from './dialog.ts';
import type { Choice } from './Menu.tsx';
import { authorName, fill } from './words.ts';

/** What this reader may do with a message (decision C4); the server decides in the end. */
export function useActions(message: Message, own: boolean): Choice[] {
  const { words } = useChat();
  const viewer = useStore(details)?.viewer;
  return useMemo(() => {
    if (!viewer) return [];
    const name = authorName(message.user, words.deletedAccount);
    const dialogChoice = (kind: 'delete' | 'report' | 'block' | 'mute', label: string): Choice => ({
      key: kind,
      label,
      choose: () => dialogRequest.set({ kind, message }),
    });
    if (own) return [dialogChoice('delete', words.delete)];
    return [
      dialogChoice('report', words.report),
      dialogChoice('block', fill(words.block, { name })),
      ...(viewer.canModerate
        ? [
            dialogChoice('delete', words.delete),
            ...(message.user.isModerator ? [] : [dialogChoice('mute', fill(words.mute, { name }))]),
          ]
        : []),
    ];
  }, [viewer, message, own, words]);
}
