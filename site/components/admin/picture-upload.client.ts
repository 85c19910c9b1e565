/** Pictures on their way to the library: chosen, dropped or pasted, several at once, each with its progress and a way back. */
import { token } from '../../stores/session.ts';

/** Sentences of the form, `{{name}}` for the picture's; `refused` by code of the API. */
export interface UploadWords {
  sending: string;
  sent: string;
  /** For one that is there already, `{{credit}}` for whose it is said to be; without a credit. */
  known: string;
  knownBare: string;
  cancel: string;
  cancelled: string;
  retry: string;
  notSent: string;
  refused: Record<string, string>;
  /** Codes of what is wrong with a file itself: sent again, it is refused again. */
  lasting: readonly string[];
}

/** What a call answered, of which a refusal has the code alone. */
interface Sent {
  id?: number;
  isKnown?: boolean;
  credit?: string | null;
  code?: string;
}

/** More would only share the line. */
const atOnce = 2;

const form = document.querySelector<HTMLFormElement>('form[data-upload]');
const list = form?.querySelector<HTMLElement>('[data-uploads]');
const chooser = form?.querySelector<HTMLInputElement>('input[type="file"]');
if (form && list && chooser) start(form, list, chooser, JSON.parse(form.dataset.upload ?? '{}'));

function start(
  form: HTMLFormElement,
  list: HTMLElement,
  chooser: HTMLInputElement,
  words: UploadWords,
): void {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  /** Something was sent that the library below does not show yet. */
  let hasAdded = false;

  function goOn(): void {
    for (let next = waiting[0]; next && running < atOnce; next = waiting[0]) {
      waiting.shift();
      running += 1;
      next().finally(() => {
        running -= 1;
        goOn();
        if (running === 0 && hasAdded) {
          hasAdded = false;
          void refreshLibrary();
        }
      });
    }
  }

  function add(files: Iterable<File>): void {
    for (const file of files) {
      const line = document.createElement('li');
      list.append(line);
      queue(file, line);
    }
  }

  function queue(file: File, line: HTMLElement): void {
    const aborter = new AbortController();
    const progress = document.createElement('progress');
    progress.max = 1;
    progress.value = 0;
    progress.setAttribute('aria-label', words.sending.replace('{{name}}', file.name));
    line.replaceChildren(
      file.name,
      progress,
      button(words.cancel, file, () => aborter.abort()),
    );
    const retry = () => queue(file, line);
    const fail = (sentence: string, canRetry = true) =>
      line.replaceChildren(
        `${file.name}: ${sentence}`,
        ...(canRetry ? [button(words.retry, file, retry)] : []),
      );
    aborter.signal.addEventListener('abort', () => fail(words.cancelled));
    waiting.push(async () => {
      if (aborter.signal.aborted) return;
      const answer = await send(formWith(file), aborter.signal, (share) => {
        progress.value = share;
      });
      if (aborter.signal.aborted) return;
      if (answer?.id) {
        hasAdded = true;
        line.replaceChildren(link(answer.id, sentenceOf(answer, file)));
      } else {
        const code = answer?.code ?? '';
        fail(words.refused[code] ?? words.notSent, !words.lasting.includes(code));
      }
    });
    goOn();
  }

  function sentenceOf({ isKnown, credit }: Sent, { name }: File): string {
    if (!isKnown) return words.sent.replace('{{name}}', () => name);
    return `${name}: ${credit ? words.known.replace('{{credit}}', () => credit) : words.knownBare}`;
  }

  function formWith(file: File): FormData {
    const data = new FormData(form);
    data.set('file', file);
    return data;
  }

  function link(id: number, text: string): HTMLAnchorElement {
    const to = document.createElement('a');
    to.className = 'admin-link';
    to.href = `${form.dataset.page}&picture=${id}`;
    to.textContent = text;
    return to;
  }

  chooser.multiple = true;
  form.querySelector<HTMLElement>('[data-drop]')?.removeAttribute('hidden');
  form.querySelector('button[type="submit"]')?.remove();
  form.addEventListener('submit', (event) => event.preventDefault());
  chooser.addEventListener('change', () => {
    add([...(chooser.files ?? [])]);
    chooser.value = '';
  });
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
    add(event.dataTransfer?.files ?? []);
  });
  document.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  });
}

/** The library as the page has it now, but not under the hands of whoever is in it. */
async function refreshLibrary(): Promise<void> {
  const library = document.querySelector('[data-library]');
  if (!library || library.contains(document.activeElement)) return;
  const page = document.createElement('template');
  try {
    page.innerHTML = await (await fetch(location.href)).text();
  } catch {
    // Without a connection the one that is there stays.
  }
  const fresh = page.content.querySelector('[data-library]');
  if (fresh) library.replaceWith(fresh);
}

function button(text: string, { name }: File, press: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'button button-line';
  made.textContent = text;
  made.setAttribute('aria-label', `${text}: ${name}`);
  made.addEventListener('click', press);
  return made;
}

/** What the call answered: a picture, or the code of a refusal; undefined when nothing came. `fetch` tells no progress. */
function send(
  data: FormData,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Sent | undefined> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/api/admin/pictures');
    const proof = token.get();
    if (proof) request.setRequestHeader('authorization', `Bearer ${proof}`);
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
    request.addEventListener('loadend', () => resolve(request.response ?? undefined));
    signal.addEventListener('abort', () => request.abort());
    request.send(data);
  });
}
