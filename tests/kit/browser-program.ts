import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** The shell first: the same engine without the windows of the whole browser, which cost half of a test's time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The program of the system's Chromium or Chrome, else of Playwright's own download; undefined without any. */
export function findBrowser(): string | undefined {
  const inPath = names.map((name) => Bun.which(name)).find((path) => path !== null);
  return inPath ?? [...applications, chromium.executablePath()].find((path) => existsSync(path));
}
