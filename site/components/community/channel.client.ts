/**
 * A channel's page in the browser: its details of now, Join, the news line of small screens, the celebration of a new
 * channel, and the chat, whose island is loaded when it is seen.
 */
import { isLang } from '#content/locales.ts';
import { compactCount } from '../../i18n/format.ts';
import { token } from '../../stores/session.ts';
import '../star/FollowButton.client.ts';
import { showToast } from '../../client/toast.ts';
import { details, refreshDetails, setMembership } from '../../stores/channel.ts';

const find = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector);

const toggle = find<HTMLButtonElement>('.news-toggle');
toggle?.addEventListener('click', () => {
  toggle.ariaExpanded = String(toggle.ariaExpanded !== 'true');
});

const join = find<HTMLButtonElement>('[data-join]');
const joined = find('[data-joined]');
const members = find('[data-members]');
const online = find('[data-active]');

function showCount(place: HTMLElement | null, template: string | undefined, count: number): void {
  if (!place || !template) return;
  place.hidden = count === 0;
  const text = template.replace('{n}', compactCount(count));
  if (place.textContent?.trim() !== text) place.textContent = text;
}

details.subscribe((answer) => {
  if (!answer) return;
  const { channel, viewer } = answer;
  showCount(members, members?.dataset[channel.memberCount === 1 ? 'one' : 'other'], channel.memberCount);
  showCount(online, online?.dataset.active, channel.activeUsers);
  if (join) join.hidden = !viewer || viewer.isMember;
  if (joined) joined.hidden = !viewer?.isMember;
});

join?.addEventListener('click', async () => {
  join.disabled = true;
  try {
    await setMembership(true);
    showToast(join.dataset.done ?? '');
  } catch {
    showToast(join.dataset.failed ?? '');
  } finally {
    join.disabled = false;
  }
});

async function start(): Promise<void> {
  await refreshDetails();
  if (details.get()?.isNewlyCreated)
    void import('./celebrate.client.ts').then(({ celebrate }) => celebrate());
}

/** A new session, here or in another tab, sees the channel with its own eyes. */
token.listen(() => void refreshDetails());

const panel = find('[data-chat]');
const waiting = find('[data-chat-waiting]');

/** The messages stay readable whatever becomes of the chat. */
async function openChat(chat: HTMLElement): Promise<void> {
  const language = document.documentElement.lang;
  if (!isLang(language)) return;
  try {
    const [{ mountChat }, words] = await Promise.all([
      import('../../islands/chat/mount.tsx'),
      fetch(`/${language}/words/chat.json`).then((answer) => {
        if (!answer.ok) throw new Error(`${answer.status}: words`);
        return answer.json();
      }),
    ]);
    mountChat(chat, language, words);
  } catch (error) {
    console.error(error);
    const failed = chat.querySelector<HTMLTemplateElement>('template[data-chat-failed]');
    if (!waiting || !failed) return;
    const before = [...waiting.childNodes];
    waiting.replaceChildren(failed.content.cloneNode(true));
    waiting.querySelector('[data-retry]')?.addEventListener('click', () => {
      waiting.replaceChildren(...before);
      void openChat(chat);
    });
  }
}

if (panel) {
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    seen.disconnect();
    void openChat(panel);
  });
  seen.observe(panel);
}

/** Where a keyboard of glass takes half of the screen, the channel has the rest (look §5 Channel). */
const { visualViewport } = window;
visualViewport?.addEventListener('resize', () => {
  const { style } = document.documentElement;
  // Two fingers that look closer leave the keyboard where it is.
  const height = visualViewport.height * visualViewport.scale;
  const covered = innerHeight - height > 120;
  if (covered) style.setProperty('--seen', `${height}px`);
  else style.removeProperty('--seen');
  document.documentElement.toggleAttribute('data-typing', covered);
});

void start();
