import type accounts from '#content/locales/en/accounts.json';
import type admin from '#content/locales/en/admin.json';
import type article from '#content/locales/en/article.json';
import type boundary from '#content/locales/en/boundary.json';
import type chat from '#content/locales/en/chat.json';
import type common from '#content/locales/en/common.json';
import type community from '#content/locales/en/community.json';
import type directory from '#content/locales/en/directory.json';
import type embeds from '#content/locales/en/embeds.json';
import type events from '#content/locales/en/events.json';
import type filter from '#content/locales/en/filter.json';
import type hearts from '#content/locales/en/hearts.json';
import type home from '#content/locales/en/home.json';
import type mail from '#content/locales/en/mail.json';
import type notices from '#content/locales/en/notices.json';
import type reminders from '#content/locales/en/reminders.json';
import type search from '#content/locales/en/search.json';
import type star from '#content/locales/en/star.json';
import type states from '#content/locales/en/states.json';
import type verification from '#content/locales/en/verification.json';

/** All areas of the catalogue; English is the type of every language. */
export interface Words {
  common: typeof common;
  filter: typeof filter;
  hearts: typeof hearts;
  home: typeof home;
  article: typeof article;
  accounts: typeof accounts;
  boundary: typeof boundary;
  chat: typeof chat;
  community: typeof community;
  embeds: typeof embeds;
  star: typeof star;
  mail: typeof mail;
  notices: typeof notices;
  reminders: typeof reminders;
  search: typeof search;
  events: typeof events;
  states: typeof states;
  verification: typeof verification;
  admin: typeof admin;
  directory: typeof directory;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Words;
  }
}
