import { type KeyboardEvent, useRef } from 'react';

/** The second Enter that some browsers say for one press comes within this time, ms. */
const samePressWindow = 250;

/**
 * Enter that sends exactly once, also while a syllable is being composed (decision C5). Browsers disagree on the order:
 * Chrome says Enter (composing), ends the composition, and may say Enter again; Safari ends the composition first and says
 * Enter with the key code 229. Shift and Enter make a new line.
 */
export function useEnterToSend(send: () => void) {
  const sendAfterComposition = useRef(false);
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    onKeyDown(event: KeyboardEvent) {
      // Another key between two Enters makes them two presses, however fast somebody types.
      if (event.key !== 'Enter') sentAt.current = Number.NEGATIVE_INFINITY;
      if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.nativeEvent.isComposing) {
        sendAfterComposition.current = true;
        return;
      }
      event.preventDefault();
      if (!event.repeat && event.timeStamp - sentAt.current > samePressWindow) send();
    },
    onCompositionStart() {
      sendAfterComposition.current = false;
    },
    onCompositionEnd({ timeStamp }: { timeStamp: number }) {
      if (!sendAfterComposition.current) return;
      sendAfterComposition.current = false;
      sentAt.current = timeStamp;
      // The field has the whole syllable only after this event.
      setTimeout(send);
    },
  };
}
