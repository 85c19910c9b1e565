/** Kept, because a dialog that is taken out of the page while it is open takes the region along. */
let region: Element | null = null;
/** Milliseconds after which a screen reader has found the region in another place, and says what is put into it. */
const timeToFind = 100;

/** Below an open dialog nothing is seen or heard: its toasts stand in it, and go on in the page when it closes. */
export function placeToast(): void {
  if (region) [...document.querySelectorAll('body,dialog:modal')].at(-1)?.append(region);
}

/** The one thing that a toast may offer. */
interface ToastAction {
  label: string;
  run: () => void;
}

/** Shows the one toast of the page (§9: limit 1, 5,000 ms, swiped away after 50 px); its region is announced politely. */
export function showToast(message: string | undefined, milliseconds = 5000, action?: ToastAction): void {
  region ??= document.querySelector('#toast');
  if (!region || !message) return;
  const toast = document.createElement('p');
  toast.textContent = message;
  if (action) {
    const button = document.createElement('button');
    button.textContent = action.label;
    button.onclick = () => {
      toast.remove();
      action.run();
    };
    toast.append(button);
  }
  toast.onpointerdown = (start) => {
    // Below it may be a photo that is swiped as well.
    start.stopPropagation();
    toast.onpointermove = ({ buttons, clientX }) => {
      if (buttons && Math.abs(clientX - start.clientX) >= 50) toast.remove();
    };
  };
  placeToast();
  // Before the dialog itself hears of it, which may leave the page then.
  document.addEventListener('close', placeToast, true);
  setTimeout(() => region?.replaceChildren(toast), timeToFind);
  setTimeout(() => toast.remove(), milliseconds);
}

/** Says that the script of what was pressed could not be fetched. Pressed again, it is asked for again. */
export function showLoadFailure(): void {
  showToast(document.body.dataset[navigator.onLine ? 'failed' : 'offline']);
}
