import { type Lang, languages } from './locales.ts';

/** How a language is written, for the server alone: `locales.ts` travels to every reader, this to none. */
interface Writing {
  name: string;
  nativeName: string;
  /** How the model is told to write it. */
  voice: string;
  /** What the model must know where only the code is named. */
  hint?: string;
  /** Its letters, and their least share of a text in it. */
  letters: RegExp;
  leastShare: number;
  /** A text of some length without any of these is in another language. */
  ownLetters?: RegExp;
  /** The longest description for search engines, in characters (§9). */
  descriptionLength: number;
  /** `Intl` gives its weekdays and languages a capital that they have only where a sentence begins. */
  hasSmallNames?: true;
}

const latin = { letters: /\p{Script=Latin}/gu, leastShare: 0.7, descriptionLength: 160 } as const;

export const writing: Readonly<Record<Lang, Writing>> = {
  ko: {
    name: 'Korean',
    nativeName: '한국어',
    voice: 'Korean, in the plain style of a Korean newspaper (sentences end in -다)',
    letters: /[가-힣]/g,
    leastShare: 0.5,
    descriptionLength: 120,
  },
  en: { ...latin, name: 'English', nativeName: 'English', voice: 'British English' },
  ms: {
    ...latin,
    name: 'Malay',
    nativeName: 'Bahasa Melayu',
    voice: 'standard Malaysian Malay (Bahasa Melayu, not Indonesian)',
    hint: 'Malaysian Malay',
  },
  vi: {
    ...latin,
    name: 'Vietnamese',
    nativeName: 'Tiếng Việt',
    voice: 'natural Vietnamese with all its marks',
    ownLetters: /[ạảấầẩẫậắằẳẵặẹẻẽếềểễệịỉĩọỏốồổỗộớờởỡợụủũứừửữựỳỵỷỹđ]/i,
    hasSmallNames: true,
  },
};

/** Every language as menus name it (§3 Language entry), in their order. */
export const languageEntries = languages.map((code) => ({
  code,
  name: writing[code].name,
  nativeName: writing[code].nativeName,
}));
