import type { APIRequestContext, Page } from '@playwright/test';
import { parseHTML } from 'linkedom';
import type { Role } from '#db/schema/accounts.ts';
import { expect } from './browser.ts';
import { type ChosenFile, readForm } from './plain-form.ts';
import type { TestServer } from './server.ts';
import { signIn } from './sign-in.ts';

/** What is typed and chosen by the name of its field; null takes the tick out of a box. */
type Typed = Readonly<Record<string, string | null>>;

/**
 * A visit without a script, by requests alone: for pages whose words and forms are looked at, and nothing that only a browser knows
 * (what is visible, where the focus is, how it is laid out). A page in a browser costs twenty times as much.
 */
export class PlainVisit {
  #document: Document | undefined;
  #url: string;

  constructor(
    private readonly request: APIRequestContext,
    siteUrl: string,
  ) {
    this.#url = siteUrl;
  }

  /** The same person on another page, such as in another tab. */
  another(): PlainVisit {
    return new PlainVisit(this.request, this.#url);
  }

  /** Where redirects have led to. */
  get url(): string {
    return this.#url;
  }

  get document(): Document {
    if (!this.#document) throw new Error('the visit has opened no page yet');
    return this.#document;
  }

  /** @returns the status of its answer */
  async goto(path: string): Promise<number> {
    return this.#read(await this.request.get(new URL(path, this.#url).href));
  }

  /** What stands in the elements, their white space as people see it. */
  texts(selector: string): string[] {
    return [...this.document.querySelectorAll(selector)].map(wordsOf);
  }

  /** What the first element says; undefined when there is none. */
  text(selector: string): string | undefined {
    return this.texts(selector)[0];
  }

  /** What a field holds: as it would be sent. */
  value(name: string): string | undefined {
    const form = this.document.querySelector(`form [name="${name}"]`)?.closest('form');
    return form ? readForm(form).values[name] : undefined;
  }

  attribute(selector: string, name: string): string | null | undefined {
    return this.document.querySelector(selector)?.getAttribute(name);
  }

  /** Follows the one link of this name in an element. */
  async follow(name: string | RegExp, within = 'body'): Promise<number> {
    const link = one(this.document, `${within} a[href]`, name);
    return this.goto(link.getAttribute('href') ?? '');
  }

  /** Values among which a field lets choose. */
  choices(name: string): string[] {
    return [...this.document.querySelectorAll(`input[name="${name}"]`)].map(
      (choice) => choice.getAttribute('value') ?? '',
    );
  }

  /**
   * Presses the one button of this name in a form, which is sent with what was typed and chosen, as a browser sends it: not while a
   * field lacks what it requires.
   * @returns the status of the page to which it leads
   */
  press(name: string | RegExp, typed: Typed = {}, file?: ChosenFile): Promise<number> {
    return this.#send(one(this.document, sendingButton, name), typed, file);
  }

  /** Presses the first button that a selector finds. */
  pressAt(selector: string, typed: Typed = {}): Promise<number> {
    const button = this.document.querySelector(selector);
    if (!button) throw new Error(`there is no button ${selector}`);
    return this.#send(button, typed);
  }

  /** What is wrong is said above the form, which leads to the field, and at the field, which has the focus. */
  expectRefused(id: string, sentence: string): void {
    const field = this.document.getElementById(id);
    const described = field?.getAttribute('aria-describedby')?.split(' ') ?? [];
    expect({
      above: this.text('.admin-failure'),
      leadsTo: this.attribute('.admin-failure a', 'href'),
      invalid: field?.getAttribute('aria-invalid'),
      focus: this.attribute('[autofocus]', 'id'),
    }).toEqual({ above: sentence, leadsTo: `#${id}`, invalid: 'true', focus: id });
    expect(described.map((each) => wordsOf(this.document.getElementById(each))).join(' ')).toContain(
      sentence,
    );
  }

  async #send(button: Element, typed: Typed, file?: ChosenFile): Promise<number> {
    const name = nameOf(button);
    const form = this.#formOf(button);
    const { values, names, isMultipart } = readForm(form);
    expect(
      Object.keys(typed).filter((each) => !names.has(each)),
      `fields of “${name}”`,
    ).toEqual([]);
    const pressed = button.getAttribute('name');
    const sent: Record<string, string> = { ...values };
    for (const [field, value] of Object.entries(typed)) {
      if (value === null) delete sent[field];
      else sent[field] = value;
    }
    if (pressed) sent[pressed] = button.getAttribute('value') ?? '';
    const required = form.hasAttribute('novalidate') ? [] : [...form.querySelectorAll('[required][name]')];
    const missing = required
      .map((field) => field.getAttribute('name') ?? '')
      .filter((field) => !sent[field] && !(file && form.querySelector(`[type="file"][name="${field}"]`)));
    expect(missing, `required by “${name}”`).toEqual([]);

    const action = button.getAttribute('formaction') ?? form.getAttribute('action') ?? '';
    const url = new URL(action || this.#url, this.#url);
    if ((form.getAttribute('method') ?? 'get').toLowerCase() === 'get') {
      url.search = new URLSearchParams(sent).toString();
      return this.#read(await this.request.get(url.href));
    }
    const fileField = form.querySelector('input[type="file"]')?.getAttribute('name');
    const body = file && fileField ? { ...sent, [fileField]: file } : sent;
    return this.#read(
      await this.request.post(url.href, {
        headers: { origin: url.origin },
        ...(isMultipart ? { multipart: body } : { form: sent }),
      }),
    );
  }

  #formOf(button: Element): Element {
    const id = button.getAttribute('form');
    const form = id === null ? button.closest('form') : this.document.getElementById(id);
    if (!form) throw new Error(`“${nameOf(button)}” belongs to no form`);
    return form;
  }

  async #read(answer: Awaited<ReturnType<APIRequestContext['get']>>): Promise<number> {
    this.#url = answer.url();
    this.#document = parseHTML(await answer.text()).document;
    return answer.status();
  }
}

const sendingButton = 'button:not([type="button"])';

const wordsOf = (element: Element | null) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

/** What it is called to those who hear the page. */
function nameOf(element: Element): string {
  const label = element.getAttribute('aria-label');
  if (label !== null) return label;
  const heard = element.cloneNode(true) as Element;
  for (const hidden of heard.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
  return wordsOf(heard);
}

function one(document: Document, selector: string, name: string | RegExp): Element {
  const named = [...document.querySelectorAll(selector)].filter((each) =>
    typeof name === 'string' ? nameOf(each) === name : name.test(nameOf(each)),
  );
  expect(named, `${selector} “${name}”`).toHaveLength(1);
  const [first] = named;
  if (!first) throw new Error(`there is no ${selector} “${name}”`);
  return first;
}

/** A visit without a script of somebody new with this role, to whom the browser is logged in as well. */
export async function visitAs(role: Role, page: Page, server: TestServer): Promise<PlainVisit> {
  await signIn(page.context(), server, role);
  return new PlainVisit(page.context().request, server.url);
}
