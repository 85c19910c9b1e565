import {
  type EmbedPlatform,
  type EmbedPlatformEntry,
  embedPlatformEntries,
} from '#content/embed-platforms.ts';

/** What server and browser both know about embeds (§2 Multimedia embeds, §3 Embed). It travels to every reader. */

export function isPlatform(key: string): key is EmbedPlatform {
  return Object.hasOwn(embedPlatformEntries, key);
}

/** A platform as people call it; an unknown one by its own word. */
export function platformName(key: string): string {
  return isPlatform(key) ? embedPlatformEntries[key].name : key;
}

/** Address of the player of an embed; undefined when the platform is unknown or the id cannot be one of its ids. */
export function playerAddress(key: string, id: string, type: string): string | undefined {
  if (!isPlatform(key)) return undefined;
  const platform: EmbedPlatformEntry = embedPlatformEntries[key];
  return platform.id.test(id) && /^[a-z]{1,16}$/.test(type) ? platform.player(id, type) : undefined;
}

/** `PT1M8S` as `1:08`, `PT1H2M3S` as `1:02:03`; undefined for what is no duration. */
export function clockDuration(iso: string | undefined): string | undefined {
  const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(iso ?? '');
  if (!parts) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  const total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  if (total === 0) return undefined;
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const long = total >= 3600;
  return `${long ? `${Math.floor(total / 3600)}:${twoDigits((total % 3600) / 60)}` : Math.floor(total / 60)}:${twoDigits(total % 60)}`;
}

/** Who published it, as far as the platform said. */
export function channelOf(metadata: {
  channelName?: string;
  channelTitle?: string;
  author?: string;
}): string {
  return metadata.channelName ?? metadata.channelTitle ?? metadata.author ?? '';
}

/** The smaller file that a poster falls back to before the star's mark. */
export function lowerPoster(thumbnailUrl: string): string {
  return thumbnailUrl.replace(/[^/]+$/, '3x2-400.webp');
}

/** The poster in the format that costs least. */
export function poster(thumbnailUrl: string): string {
  return thumbnailUrl.replace(/\.webp$/, '.avif');
}
