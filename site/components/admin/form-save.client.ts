/**
 * What is typed into a form of the administration is kept in this browser until it is saved (decision W7). One that may save itself
 * does: posted as it would be without a script, and what the page answers says what became of it.
 */
import { storageKey } from '#content/site.ts';

/** What the form says of itself; `{{time}}` and `{{reason}}` are filled in. */
export interface SaveWords {
  unsaved: string;
  /** Where a press alone saves. */
  kept: string;
  saving: string;
  saved: string;
  refused: string;
  offline: string;
  later: string;
  loggedOut: string;
  /** Reasons of pages that say nothing of a form. */
  missing: string;
  forbidden: string;
  changed: string;
  restored: string;
}

type State = Exclude<keyof SaveWords, 'missing' | 'forbidden'>;

/** Milliseconds after the last key. */
const pause = 1000;
/** Milliseconds until it is tried again when nothing came back. */
const retryAfter = 5000;
/** A page that is left still sends so much. */
const sentWhenLeaving = 60_000;

/** Milliseconds: nobody comes back to older words, as with a session that nobody has used. */
const keptFor = 30 * 86_400_000;

/** What was typed, and the version that it was typed over. */
interface Draft {
  fields: [name: string, value: string][];
  /** When, ms. */
  at: number;
}

/** What was sent, and how much had been typed by then. */
interface Sent {
  typed: number;
  fields: ReadonlyMap<string, string>;
}

const drafts = `${storageKey}:draft:`;
/** In this tab: the draft that the browser itself has posted. The page that follows says whether it was saved. */
const postedKey = `${storageKey}:posted`;

forgetSaved();
forgetOld();
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-save]')) keepSaved(form);

/** A form that this page shows as it was typed holds what is not saved yet, also where a part of it was. */
function forgetSaved(): void {
  try {
    const posted = sessionStorage.getItem(postedKey);
    sessionStorage.removeItem(postedKey);
    if (posted && document.querySelector('.admin-saved')) localStorage.removeItem(posted);
  } catch {
    // Nothing was kept.
  }
}

function forgetOld(): void {
  for (const key of storedKeys()) {
    const draft = key.startsWith(drafts) ? readDraft(key) : undefined;
    if (draft && Date.now() - draft.at > keptFor) localStorage.removeItem(key);
  }
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

function keepSaved(form: HTMLFormElement): void {
  const key = `${drafts}${form.dataset.keep}`;
  const isAutomatic = form.dataset.save === 'auto';
  const status = form.querySelector<HTMLElement>('[data-status]');
  const discard = form.querySelector<HTMLButtonElement>('[data-discard]');
  const words: SaveWords = JSON.parse(
    form.querySelector<HTMLElement>('[data-save-words]')?.dataset.saveWords ?? '{}',
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isUnderWay = false;
  /** Saving was pressed while an earlier state was under way. */
  let isPressed = false;
  /** Counts what was typed: an answer is of what was typed before it. */
  let typed = 0;
  let isDirty = false;
  /** Somebody else was faster: it is saved by a press alone, on purpose. */
  let isChanged = false;
  /** What it is about is gone, or not this person's any more: a press leads to a page without what was typed. */
  let isLost = false;

  const fields = () => fieldsOf(form);
  /** Goes on from what the answer was opened with: its version and its fields. */
  function takeOpened(answer: HTMLFormElement): void {
    for (const name of ['version', 'opened']) {
      const [own, current] = [form, answer].map((each) =>
        each.querySelector<HTMLInputElement>(`input[name="${name}"]`),
      );
      if (own && current?.value) own.value = current.value;
    }
  }

  function say(state: State, fill: { time?: string; reason?: string } = {}): void {
    if (!status || (status.dataset.state === state && state === 'unsaved')) return;
    const isFirst = status.dataset.state === undefined;
    status.dataset.state = state;
    status.textContent = words[state]
      .replace('{{time}}', fill.time ?? '')
      .replace('{{reason}}', fill.reason ?? '');
    if (discard) discard.hidden = !isDirty;
    // What says it must not cover where it is typed.
    if (isFirst && form.contains(document.activeElement))
      document.activeElement?.scrollIntoView({ block: 'nearest' });
  }

  function keep(): void {
    try {
      localStorage.setItem(key, JSON.stringify({ fields: fields(), at: Date.now() } satisfies Draft));
    } catch {
      // A full or forbidden storage keeps nothing; saving goes on.
    }
  }
  function notePosted(): void {
    try {
      sessionStorage.setItem(postedKey, key);
    } catch {
      // What is kept is compared with what the next page shows.
    }
  }
  function forget(): void {
    isDirty = false;
    try {
      localStorage.removeItem(key);
    } catch {
      // Nothing was kept.
    }
  }

  function later(milliseconds: number): void {
    clearTimeout(timer);
    if (isAutomatic && !isChanged) timer = setTimeout(save, milliseconds);
  }

  function noteTyping(): void {
    typed += 1;
    isDirty = true;
    keep();
    say(isChanged ? 'changed' : isAutomatic ? 'unsaved' : 'kept');
    later(pause);
  }

  async function save(): Promise<void> {
    clearTimeout(timer);
    if (!isDirty || isUnderWay || isChanged || !isAutomatic) return;
    isUnderWay = true;
    const sent: Sent = { typed, fields: new Map(fields()) };
    say('saving');
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    try {
      const response = await fetch(form.action, {
        method: 'POST',
        body,
        keepalive: body.toString().length < sentWhenLeaving,
      });
      await take(response, sent);
    } catch {
      say('offline');
      later(retryAfter);
    } finally {
      isUnderWay = false;
    }
    if (isPressed && !isChanged && !isLost) form.requestSubmit();
    else if (isDirty && typed > sent.typed) later(pause);
    isPressed = false;
  }

  /** What the page says that came back: saved, or why not. */
  async function take(response: Response, sent: Sent): Promise<void> {
    if (response.redirected && new URL(response.url).pathname === '/login') return say('loggedOut');
    if (response.status === 429) {
      say('later');
      return later(1000 * Number(response.headers.get('retry-after') ?? 30));
    }
    const page = document.createElement('template');
    page.innerHTML = await response.text();
    const answer = page.content.querySelector<HTMLFormElement>(
      `form[data-keep="${CSS.escape(form.dataset.keep ?? '')}"]`,
    );
    const failure = page.content.querySelector('.admin-failure')?.textContent?.trim();
    const reason = failure ?? { 403: words.forbidden, 404: words.missing }[response.status] ?? '';
    isLost = !answer && reason !== '' && !page.content.querySelector('form[data-typed]');
    if (!answer && reason) return say('refused', { reason });
    if (!answer) {
      // A page of an error, such as of a server that starts anew.
      say('offline');
      return later(retryAfter);
    }
    showProblems(form, answer);
    const differences = page.content.querySelector('.admin-differences');
    if (response.ok || (response.status === 409 && !differences)) {
      takeOpened(answer);
      if (!response.ok) takeSaved(answer, sent);
      showDifferences(form, undefined);
      if (typed > sent.typed) return keep();
      forget();
      return say('saved', {
        time: new Date().toLocaleTimeString(document.documentElement.lang, {
          hourCycle: 'h23',
          hour: '2-digit',
          minute: '2-digit',
        }),
      });
    }
    if (differences) {
      takeOpened(answer);
      takeSaved(answer, sent);
      keep();
      isChanged = true;
      showDifferences(form, differences);
      return say('changed');
    }
    say('refused', { reason });
  }

  /** Somebody else's words come into the fields that were left alone here, and stay out of those that were typed in since. */
  function takeSaved(answer: HTMLFormElement, sent: Sent): void {
    const now = new Map(fields());
    const saved = fieldsOf(answer);
    const names = new Set([...saved.map(([name]) => name), ...sent.fields.keys()]);
    const left = [...names].filter((name) => now.get(name) === sent.fields.get(name));
    for (const name of left) now.delete(name);
    write(form, [...now, ...saved.filter(([name]) => left.includes(name))]);
  }

  form.addEventListener('input', noteTyping);
  form.addEventListener('change', noteTyping);
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) save();
  });
  form.addEventListener('submit', (event) => {
    clearTimeout(timer);
    // It is of the version that is under way; who is told meanwhile of another one presses again, on purpose.
    if (isUnderWay) {
      event.preventDefault();
      isPressed = true;
    } else if (isLost) {
      event.preventDefault();
      save();
    } else if (isDirty) {
      keep();
      notePosted();
    }
  });
  discard?.addEventListener('click', () => {
    forget();
    // A reload would post once more what was refused.
    location.replace(location.pathname + location.search);
  });
  addEventListener('online', () => save());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') save();
  });

  restore();

  /** What an earlier visit left unsaved; a form that comes back as it was typed shows it already. */
  function restore(): void {
    if (form.dataset.typed !== undefined) {
      isDirty = true;
      keep();
      say(isAutomatic ? 'unsaved' : 'kept');
      return;
    }
    const draft = readDraft(key);
    if (!draft) return;
    if (JSON.stringify(withoutVersion(draft.fields)) === JSON.stringify(withoutVersion(fields()))) {
      forget();
      return;
    }
    isDirty = true;
    write(form, draft.fields);
    say('restored');
    later(pause);
  }
}

/** What the form says, but for what it is and the key of one press. */
function fieldsOf(form: HTMLFormElement): Draft['fields'] {
  return [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'form' && name !== 'once' ? [[name, value]] : [],
  );
}

function withoutVersion(fields: Draft['fields']): Draft['fields'] {
  return fields.filter(([name]) => name !== 'version' && name !== 'opened');
}

function readDraft(key: string): Draft | undefined {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return draft && typeof draft === 'object' && Array.isArray(Reflect.get(draft, 'fields'))
      ? (draft as Draft)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Fills the form in; a closed part in which something is another one by that is opened. */
function write(form: HTMLFormElement, fields: Draft['fields']): void {
  const values = new Map(fields);
  for (const field of form.elements) {
    const before = stateOf(field);
    if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio'))
      field.checked =
        field.type === 'radio' ? values.get(field.name) === field.value : values.has(field.name);
    else if (isTextField(field)) field.value = values.get(field.name) ?? field.value;
    const part = stateOf(field) === before ? undefined : field.closest('details');
    if (part) part.open = true;
  }
}

function isTextField(field: Element): field is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    field instanceof HTMLInputElement ||
    field instanceof HTMLTextAreaElement ||
    field instanceof HTMLSelectElement
  );
}

function stateOf(field: Element): string | undefined {
  return isTextField(field) ? `${Reflect.get(field, 'checked')} ${field.value}` : undefined;
}

/** What the answer says of each field stands at ours, and what it says no more is gone. */
function showProblems(form: HTMLFormElement, answer: HTMLFormElement): void {
  for (const problem of form.querySelectorAll('.admin-problem, [data-candidates]')) problem.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
  for (const field of answer.querySelectorAll('[aria-invalid]')) {
    const own = form.querySelector(`#${CSS.escape(field.id)}`);
    const problem = answer.querySelector(`#${CSS.escape(`${field.id}-problem`)}`);
    if (!own || !problem) continue;
    own.setAttribute('aria-invalid', 'true');
    own.setAttribute('aria-describedby', field.getAttribute('aria-describedby') ?? '');
    own.after(problem);
    const part = own.closest('details');
    if (part) part.open = true;
  }
  for (const candidates of answer.querySelectorAll<HTMLElement>('[data-candidates]'))
    form
      .querySelector(`[name="${CSS.escape(candidates.dataset.candidates ?? '')}"]`)
      ?.closest('.choose-star')
      ?.append(candidates);
}

/** Both versions stand above the form, or nothing does. */
function showDifferences(form: HTMLFormElement, differences: Element | undefined): void {
  for (const old of document.querySelectorAll('.admin-differences[data-met]')) old.remove();
  if (!(differences instanceof HTMLElement)) return;
  differences.dataset.met = '';
  form.before(differences);
  differences.tabIndex = -1;
}
