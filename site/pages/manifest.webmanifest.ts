import type { APIRoute } from 'astro';
import { defaultLanguage } from '#content/locales.ts';
import { site } from '#content/site.ts';
import { words } from '../i18n/words.ts';
import { cachePage } from '../lib/cache/page-life.ts';

/** The web app manifest; the name comes from `content/site.ts` (decision P1). */
export const GET: APIRoute = ({ cache }) => {
  cachePage(cache, 'manifest', { maxAge: 86_400, swr: 86_400 });
  const manifest = {
    id: '/',
    name: site.name,
    short_name: site.name,
    description: words(defaultLanguage)('home:description'),
    lang: defaultLanguage,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#090c13',
    theme_color: '#090c13',
    categories: ['entertainment', 'news'],
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/media/brand/1x1-480.png', sizes: '480x480', type: 'image/png' },
    ],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { 'content-type': 'application/manifest+json; charset=utf-8' },
  });
};
