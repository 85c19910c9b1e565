import { defineConfig } from '@playwright/test';
import { findBrowser } from './tests/kit/browser-program.ts';

/** Chromium takes root only without its sandbox; the rest keeps it from talking to the network by itself. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page of a test lives for seconds: compilers that optimise what runs for long cost a tenth of its time and win nothing.
  '--js-flags=--no-opt,--no-maglev',
];

const executablePath = findBrowser();

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  // With two, a fifth of two cores waits for an answer of the other process.
  workers: 3,
  projects: [
    { name: 'e2e', testMatch: 'e2e/*.e2e.ts' },
    { name: 'long', testMatch: 'long/*.e2e.ts' },
  ],
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  // On a busy machine an answer takes many times what it takes alone: this is for what never comes.
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    actionTimeout: 30_000,
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    // A transition is painted sixty times a second by the processor, a tenth of all: only tests of what moves have it move.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: executablePath ? { executablePath, args } : { args },
  },
});
