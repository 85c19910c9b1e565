import type { APIRequestContext } from '@playwright/test';
import { expect } from './browser.ts';

/** A form as a browser without a script reads it from its page: one in a browser costs twenty times as much. */
export interface PlainForm {
  action: string;
  isMultipart: boolean;
  /** What it sends while nobody has typed. */
  values: Readonly<Record<string, string>>;
  /** Fields and buttons that it has. */
  names: ReadonlySet<string>;
}

export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** @throws when the page has no such form */
export function plainForm(page: Document, selector: string): PlainForm {
  const form = page.querySelector(selector);
  if (!form) throw new Error(`there is no form ${selector}`);
  return readForm(form);
}

/** A form element, read as it stands. */
export function readForm(form: Element): PlainForm {
  const { id, ownerDocument } = form;
  const outside = id === '' ? [] : ownerDocument.querySelectorAll(`[form="${id}"]`);
  const controls = [...form.querySelectorAll('input, select, textarea, button'), ...outside];
  const nameOf = (control: Element) => control.getAttribute('name') ?? '';
  return {
    action: form.getAttribute('action') ?? '',
    isMultipart: form.getAttribute('enctype') === 'multipart/form-data',
    values: Object.fromEntries(
      controls.flatMap((control) => {
        const value = nameOf(control) === '' ? undefined : sentBy(control);
        return value === undefined ? [] : [[nameOf(control), value]];
      }),
    ),
    names: new Set(controls.map(nameOf)),
  };
}

/** What a field sends by itself; undefined: nothing. */
function sentBy(control: Element): string | undefined {
  const type = control.getAttribute('type');
  switch (control.localName) {
    case 'textarea':
      return control.textContent;
    case 'select': {
      const option = control.querySelector('option[selected]') ?? control.querySelector('option');
      return option?.getAttribute('value') ?? '';
    }
    case 'button':
      return undefined;
    default:
      if (type === 'file' || ((type === 'checkbox' || type === 'radio') && !control.hasAttribute('checked')))
        return undefined;
      return control.getAttribute('value') ?? (type === 'checkbox' ? 'on' : '');
  }
}

/**
 * Sends a form with what was typed and chosen in it and the button that was pressed.
 * @returns the address to which the site leads on; one that it refuses leads nowhere, which fails the test
 */
export async function sendPlainForm(
  request: APIRequestContext,
  siteUrl: string,
  { action, isMultipart, values, names }: PlainForm,
  typed: Readonly<Record<string, string>>,
  file?: ChosenFile,
): Promise<URL> {
  expect(Object.keys(typed).filter((name) => !names.has(name))).toEqual([]);
  const url = new URL(action, siteUrl);
  const form = { ...values, ...typed };
  const answer = await request.post(url.href, {
    headers: { origin: url.origin },
    maxRedirects: 0,
    ...(isMultipart ? { multipart: file ? { ...form, file } : form } : { form }),
  });
  expect([action, answer.status()]).toEqual([action, 303]);
  return new URL(answer.headers().location ?? '', siteUrl);
}
