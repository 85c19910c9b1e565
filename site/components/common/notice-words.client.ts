import type notices from '#content/locales/en/notices.json';
import { isLang } from '#content/locales.ts';
import { fetchPatiently } from '../../client/api.ts';

export type NoticeWords = typeof notices;

/** The words of what rarely has to be said; nobody else loads them. */
export function noticeWords(): Promise<NoticeWords> {
  const { lang } = document.documentElement;
  return fetchPatiently(`/${isLang(lang) ? lang : 'ko'}/words/notices.json`, {}, (answer) => answer.json());
}
