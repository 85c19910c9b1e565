let timer: ReturnType<typeof setTimeout> | undefined;

/** The one thing that a toast may offer. */
interface ToastAction {
  label: string;
  run: () => void;
}

/** Shows the one toast of the page (§9: limit 1, 5,000 ms, swiped away after 50 px); its region is announced politely. */
export function showToast(message: string, milliseconds = 5000, action?: ToastAction): void {
  const region = document.querySelector('#toast');
  if (!region || message === '') return;
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
  let start = 0;
  toast.onpointerdown = ({ clientX, target, pointerId }) => {
    start = clientX;
    // Captured, a press on the button would be a click on the toast.
    if (target === toast) toast.setPointerCapture(pointerId);
  };
  toast.onpointerup = ({ clientX }) => {
    if (Math.abs(clientX - start) >= 50) toast.remove();
  };
  region.replaceChildren(toast);
  clearTimeout(timer);
  timer = setTimeout(() => toast.remove(), milliseconds);
}

/** Says that the script of what was pressed could not be fetched. Pressed again, it is asked for again. */
export function showLoadFailure(): void {
  const { offline = '', failed = '' } = document.body.dataset;
  showToast(navigator.onLine ? failed : offline);
}
