import type { Embed } from '#api/articles/model.ts';
import { picturePath } from '#api/media/paths.ts';
import { type EmbedPlatform, embedPlatforms } from '#content/embed-platforms.ts';
import type { T } from '../../i18n/words.ts';
import { platformName } from './embeds.ts';

/** An article that cannot be: Find More on the test page shows what a failure says. */
export const missingArticleId = 2_147_483_647;

type Sample = Omit<Embed, 'platform'> & { platform: string };

type SampleSource = readonly [embedType: string, embedId: string, metadata: Embed['metadata']];

const samplesByPlatform: Record<EmbedPlatform, readonly SampleSource[]> = {
  youtube: [
    ['video', 'byeoldemo01', { duration: 'PT1H2M3S', channelName: 'PADOBAN', viewCount: 1_284_310 }],
    ['video', 'byeoldemo1b', { duration: 'PT42S', channelTitle: 'PADOBAN', viewCount: 999 }],
  ],
  twitter: [['post', 'byeoldemo20261101', { author: 'byeol.demo.padoban' }]],
  instagram: [
    ['post', 'byeoldemoPadobanCard', { author: 'byeol.demo.padoban' }],
    ['reel', 'byeoldemo22reel', {}],
  ],
  tiktok: [['video', 'byeoldemopadobansand', { duration: 'PT31S', viewCount: 2_210_500 }]],
  spotify: [
    ['track', 'byeoldemo18boarding', { author: 'PADOBAN' }],
    ['playlist', 'no id of this platform', { author: 'PADOBAN' }],
  ],
};

const samples = [
  ...embedPlatforms.flatMap((platform) =>
    samplesByPlatform[platform].map((kind) => [platform, ...kind] as const),
  ),
  ['vimeo', 'video', 'byeoldemo', {}] as const,
];

/** Sample embeds of `/test-embeds` (§2): every platform, one id that no player takes, one platform that is not supported. */
export function embedSamples(t: T): Sample[] {
  const createdAt = new Date(0).toISOString();
  return samples.map(([platform, embedType, embedId, metadata], position) => ({
    id: position + 1,
    articleId: missingArticleId,
    platform,
    embedType,
    embedId,
    embedUrl: `https://${platform}.example/${encodeURIComponent(embedId)}`,
    title: t('embeds:sample', { platform: platformName(platform), number: position + 1 }),
    description: null,
    thumbnailUrl: picturePath('brand', '16:9', 480),
    metadata,
    position,
    isActive: true,
    createdAt,
    updatedAt: createdAt,
  }));
}
