import { setMembership } from '../../client/channel-state.ts';
import { usePlace } from './context.ts';
import { Dialog } from './Dialog.tsx';
import type { Asked } from './dialog.ts';

/** The dialog that was asked for. */
export function Dialogs({ asked }: { asked: Asked }) {
  switch (asked.kind) {
    case 'leave':
      return <Leave />;
  }
}

function Leave() {
  const { words } = usePlace();
  return (
    <Dialog title={words.leaveQuestion} action={words.leave} act={() => setMembership(false)}>
      <p>{words.leaveHint}</p>
    </Dialog>
  );
}
