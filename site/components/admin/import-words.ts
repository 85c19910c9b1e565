import type { ImportAnswer, ImportRowList } from '#api/directory/imports-model.ts';
import { rowRefusals } from '#api/directory/refusals.ts';
import type { T } from '../../i18n/words.ts';

/** How it looks when an import stands so. */
export function healthOf(state: ImportAnswer['state']): 'ok' | 'trouble' | 'paused' | 'new' {
  if (state === 'done') return 'ok';
  return state === 'ready' || state === 'running' ? 'new' : 'trouble';
}

/** What a format is called: two have names of their own. */
export const formatName = (t: T, format: ImportAnswer['format']): string =>
  ({ byeol: t('directory:format_byeol'), csv: 'CSV', kpopnet: 'kpopnet.json' })[format];

type Outcome = ImportRowList['rows'][number]['outcome'];

/** What becomes of a star of the file, or became of it once the import is done: until then nothing was added or changed. */
export function outcomeName(t: T, state: ImportAnswer['state'], outcome: Outcome): string {
  const isPlanned = state !== 'done' && (outcome === 'add' || outcome === 'change');
  return isPlanned ? t(`directory:planned_${outcome}`) : t(`directory:outcome_${outcome}`);
}

type Reason = ImportRowList['rows'][number]['reasons'][number];

/** Why a row is refused, in words; what the API says in English where it has no word for it. */
export function sentenceOf(t: T, { code, message }: Reason): { text: string; lang?: 'en' } {
  const known = rowRefusals.find((each) => each === code);
  return known ? { text: t(`directory:row_${known}`) } : { text: message, lang: 'en' };
}
