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
  if (action) toast.append(button(action, toast));
  let start = 0;
  toast.addEventListener('pointerdown', (event) => {
    start = event.clientX;
    // Captured, a press on the button would be a click on the toast.
    if (event.target === toast) toast.setPointerCapture(event.pointerId);
  });
  toast.addEventListener('pointerup', (event) => {
    if (Math.abs(event.clientX - start) >= 50) toast.remove();
  });
  region.replaceChildren(toast);
  clearTimeout(timer);
  timer = setTimeout(() => toast.remove(), milliseconds);
}

/** Says that the script of what was pressed could not be fetched. Pressed again, it is asked for again. */
export function showLoadFailure(): void {
  const { offline = '', failed = '' } = document.body.dataset;
  showToast(navigator.onLine ? failed : offline);
}

/** Where a script could not do what was pressed, its link does. Without a network that leads nowhere: what is read stays. */
export function followByItself(address: string | URL): void {
  if (navigator.onLine) location.assign(address);
  else showLoadFailure();
}

function button({ label, run }: ToastAction, toast: HTMLElement): HTMLButtonElement {
  const element = Object.assign(document.createElement('button'), { type: 'button', textContent: label });
  element.addEventListener('click', () => {
    toast.remove();
    run();
  });
  return element;
}
