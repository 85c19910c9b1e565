/** Runs when something that matches is pressed to act here: not to be opened elsewhere, not when another answered already. */
export function onPress<E extends HTMLElement = HTMLElement>(
  selector: string,
  run: (pressed: E) => void,
): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const pressed = event.target instanceof Element && event.target.closest<E>(selector);
    if (!pressed) return;
    event.preventDefault();
    run(pressed);
  });
}
