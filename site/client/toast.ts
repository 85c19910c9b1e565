let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the one toast of the page (§9: limit 1, 5,000 ms, swiped away after 50 px); its region is announced politely. */
export function showToast(message: string, milliseconds = 5000): void {
  const region = document.querySelector('#toast');
  if (!region || message === '') return;
  const toast = document.createElement('p');
  toast.textContent = message;
  let start = 0;
  toast.addEventListener('pointerdown', (event) => {
    start = event.clientX;
  });
  toast.addEventListener('pointerup', (event) => {
    if (Math.abs(event.clientX - start) >= 50) toast.remove();
  });
  region.replaceChildren(toast);
  clearTimeout(timer);
  timer = setTimeout(() => toast.remove(), milliseconds);
}
