import type { APIRequestContext } from '@playwright/test';
import { parseHTML } from 'linkedom';
import { expect } from './browser.ts';

/** The document at an address as the server sends it: for what stands in the HTML, a page in a browser costs twenty times as much. */
export async function documentAt(request: APIRequestContext, address: string): Promise<Document> {
  const answer = await request.get(address);
  expect([address, answer.status()]).toEqual([address, 200]);
  return parseHTML(await answer.text()).document;
}
