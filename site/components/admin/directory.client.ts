/** A file may be dropped on its form, is sent once, and tells how far it is while it is taken in. */
import { callApi } from '../../client/api.ts';

const pause = 1000;

const form = document.querySelector<HTMLFormElement>('.import-form');
const chooser = form?.querySelector<HTMLInputElement>('input[type="file"]');
if (form && chooser) takeDrops(form, chooser);
for (const each of document.querySelectorAll<HTMLFormElement>('.admin form.admin-form')) sendOnce(each);
const running = document.querySelector<HTMLElement>('[data-running]');
if (running) follow(running, Number(running.dataset.running));

function takeDrops(form: HTMLFormElement, chooser: HTMLInputElement): void {
  form.querySelector('[data-drop]')?.removeAttribute('hidden');
  const isOver = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  form.addEventListener('dragover', (event) => {
    if (!isOver(event)) return;
    event.preventDefault();
    form.dataset.over = '';
  });
  form.addEventListener('dragleave', () => delete form.dataset.over);
  form.addEventListener('drop', (event) => {
    if (!isOver(event)) return;
    event.preventDefault();
    delete form.dataset.over;
    chooser.files = event.dataTransfer?.files ?? null;
  });
}

/** A second press while the page is on its way sends nothing. */
function sendOnce(form: HTMLFormElement): void {
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
    form.setAttribute('aria-busy', 'true');
  });
  // Back from the next page it is to be sent again.
  addEventListener('pageshow', () => {
    isSent = false;
    form.removeAttribute('aria-busy');
  });
}

/** Moves the bar until it has ended, which the page itself tells then. */
async function follow(shown: HTMLElement, id: number): Promise<void> {
  const bar = shown.querySelector('progress');
  const done = shown.querySelector('[data-done]');
  const format = new Intl.NumberFormat(document.documentElement.lang);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (document.visibilityState !== 'visible') continue;
    const { state, progress } = await callApi('get', '/api/admin/directory/imports/:id', { params: { id } });
    if (state !== 'running') return location.reload();
    if (bar) bar.value = progress;
    if (done) done.textContent = format.format(progress);
  }
}
