import { defaultLanguage, isLang, type Lang } from '#content/locales.ts';

/** The first of the site's languages that an `Accept-Language` header asks for, by its weights; else Korean (§4). */
export function preferredLanguage(acceptLanguage: string | null): Lang {
  const preferences = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters.map((each) => each.trim()).find((each) => each.startsWith('q='));
      const quality = weight ? Number(weight.slice(2)) : 1;
      return { language: tag.split('-')[0], quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { language } of preferences) if (isLang(language)) return language;
  return defaultLanguage;
}
