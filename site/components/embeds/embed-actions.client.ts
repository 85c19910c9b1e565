/** What embeds do once somebody touches them (§2): players, Hide All, and Find More, which asks the API after 2 s. */
import type { Embed } from '#api/articles/model.ts';
import { embedPlatformEntries } from '#content/embed-platforms.ts';
import { isLang } from '#content/locales.ts';
import { fetchPatiently } from '../../client/api.ts';
import { shortNumber } from '../../i18n/format.ts';
import {
  channelOf,
  clockDuration,
  isPlatform,
  lowerPoster,
  platformName,
  playerAddress,
  poster,
} from '../../lib/embeds/embeds.ts';
import { safeAddress } from '../../lib/routes/outside-addresses.ts';
import { startPlayer, stopPlayer } from './embed-player.client.ts';

type Word =
  | 'play'
  | 'listen'
  | 'show'
  | 'untitled'
  | 'views'
  | 'failed'
  | 'unsupported'
  | 'hideAll'
  | 'showAll'
  | 'finding'
  | 'found'
  | 'foundNone';

const root = document.querySelector<HTMLElement>('[data-multimedia]');
const words: Record<Word, string> = JSON.parse(root?.dataset.words ?? '{}');
const find = <E extends HTMLElement>(selector: string, inside: ParentNode | null = root) =>
  inside?.querySelector<E>(selector) ?? undefined;
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Players that are folded away stop. */
export function stopInside(element: Element): void {
  element.querySelectorAll<HTMLElement>('.embed:has(iframe)').forEach(stopPlayer);
}

function blank(kind: 'card' | 'group'): HTMLElement | undefined {
  const copy = find<HTMLTemplateElement>(`template[data-blank-${kind}]`)?.content.cloneNode(true);
  return copy instanceof DocumentFragment ? find('*', copy) : undefined;
}

/** The group of a platform, made when it is the first of its kind. */
function groupOf(platform: string): HTMLElement | undefined {
  const existing = find(`[data-groups] [data-group="${CSS.escape(platform)}"]`);
  if (existing) return existing;
  const group = blank('group');
  if (!group) return undefined;
  group.dataset.group = platform;
  const name = find('h3', group);
  if (name) name.textContent = platformName(platform);
  find('[data-groups]')?.append(group);
  return group;
}

function unsupported(platform: string): HTMLElement {
  const card = document.createElement('li');
  card.className = 'embed embed-unsupported';
  card.textContent = words.unsupported.replace('{platform}', platform);
  return card;
}

/** A card as `EmbedCard.astro` would have made it. */
function cardOf(embed: Embed): HTMLElement | undefined {
  if (!isPlatform(embed.platform)) return unsupported(embed.platform);
  const card = blank('card');
  if (!card) return undefined;
  const title = embed.title ?? words.untitled;
  const texts: Record<string, string> = {
    '[data-label]': words[embedPlatformEntries[embed.platform].does]
      .replace('{platform}', platformName(embed.platform))
      .replace('{title}', title),
    '.embed-title': title,
    '.embed-duration': clockDuration(embed.metadata.duration) ?? '',
    '[data-channel]': channelOf(embed.metadata),
    '[data-views]': viewsText(embed.metadata.viewCount ?? 0),
  };
  for (const [selector, text] of Object.entries(texts)) {
    const element = find(selector, card);
    if (!element) continue;
    element.textContent = text;
    element.hidden = text === '';
  }
  card.dataset.platform = embed.platform;
  card.dataset.kind = embed.embedType;
  card.dataset.does = embedPlatformEntries[embed.platform].does;
  card.dataset.title = title;
  card.dataset.player = playerAddress(embed.platform, embed.embedId, embed.embedType) ?? '';
  const link = find<HTMLAnchorElement>('[data-play]', card);
  const address = safeAddress(embed.embedUrl);
  if (address && link) Object.assign(link, { href: address, target: '_blank', rel: 'noopener nofollow' });
  const picture = find<HTMLImageElement>('img', card);
  if (picture && embed.thumbnailUrl?.startsWith('/media/')) {
    picture.classList.remove('embed-mark');
    picture.src = poster(embed.thumbnailUrl);
    picture.dataset.lower = lowerPoster(embed.thumbnailUrl);
  }
  return card;
}

function viewsText(views: number): string {
  const { lang } = document.documentElement;
  return views > 0 && isLang(lang) ? words.views.replace('{views}', shortNumber(lang, views)) : '';
}

/** What is known now, by the API or on the demo page by its samples. */
const fetchEmbeds = (): Promise<Embed[]> =>
  fetchPatiently(
    root?.dataset.multimedia ?? '',
    { cache: 'no-cache' },
    async (answer): Promise<Embed[]> => (await answer.json()).embeds,
  );

/** Puts what is not on the page yet into its groups; answers how many that were. */
function addNew(embeds: readonly Embed[]): number {
  let added = 0;
  for (const embed of embeds) {
    if (!embed.isActive || find(`[data-embed="${embed.id}"]`)) continue;
    const card = cardOf(embed);
    const list = find('ul', groupOf(embed.platform) ?? null);
    if (!card || !list) continue;
    card.dataset.embed = String(embed.id);
    list.append(card);
    const count = find('.section-count', list.parentElement);
    if (count) count.textContent = String(list.childElementCount);
    added += 1;
  }
  const section = find('[data-more-embeds]');
  if (section && added > 0) section.hidden = false;
  return added;
}

async function findMore(): Promise<void> {
  const button = find('[data-find-more]');
  const status = find('[data-find-status]');
  const failed = find('[data-find-failed]');
  if (!button || !status || !failed || button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  failed.hidden = true;
  status.textContent = words.finding;
  await wait(2000);
  try {
    const added = addNew(await fetchEmbeds());
    status.textContent = added > 0 ? words.found.replace('{number}', String(added)) : words.foundNone;
  } catch {
    status.textContent = '';
    failed.hidden = false;
  } finally {
    button.ariaBusy = 'false';
  }
}

function toggleAll(button: HTMLElement): void {
  const isHidden = button.ariaExpanded === 'true';
  for (const groups of root?.querySelectorAll<HTMLElement>('[data-fold-all]') ?? []) {
    groups.hidden = isHidden;
    if (isHidden) stopInside(groups);
  }
  button.ariaExpanded = String(!isHidden);
  button.textContent = isHidden ? words.showAll : words.hideAll;
}

/** Does what a control of the embeds stands for. */
export function activate(control: Element): void {
  const card = control.matches('[data-play]') ? control.closest<HTMLElement>('.embed') : null;
  if (card) startPlayer(card, words.failed);
  else if (control instanceof HTMLElement && control.matches('[data-toggle-all]')) toggleAll(control);
  else void findMore();
}
