import { expect, test } from 'bun:test';
import { firstLetterOf } from '#site/i18n/first-letter.ts';

test('the first letter of a name is what a person takes for one', () => {
  const letters: [name: string, letter: string][] = [
    ['linh', 'l'],
    ['🇻🇳 linh', '🇻🇳'],
    ['👩🏽‍🎤 star', '👩🏽‍🎤'],
    ['❤️ mina', '❤️'],
    ['별', '별'],
    ['e\u0301lan', 'e\u0301'],
    ['\u0301', '\u0301'],
    ['', ''],
  ];
  for (const [name, letter] of letters) expect([name, firstLetterOf(name)]).toEqual([name, letter]);
});
