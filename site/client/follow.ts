/** The Follow button of a logged-in fan (§4 Follow): shown at once, taken back when the server refuses. */
import { compactCount } from '../i18n/format.ts';
import { showToast } from './toast.ts';

/** Shows the button in the fan's own state and lets it toggle. Without a valid session it stays hidden (§6). */
export async function startFollow(button: HTMLButtonElement, token: string): Promise<void> {
  const address = `/api/stars/${button.dataset.follow}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const status = document.querySelector('[data-star-status]');
  const followers = document.querySelector<HTMLElement>('[data-followers]');
  const answer = await fetch(`${address}/profile`, { headers, cache: 'no-store' }).catch(() => undefined);
  if (!answer || answer.status === 401 || answer.status === 403) return;
  const profile: { isFollowing?: boolean } = answer.ok ? await answer.json() : {};
  let stored = profile.isFollowing === true;
  let wanted = stored;
  let sending = false;

  const paint = (following: boolean) => {
    button.dataset.following = String(following);
  };
  const count = (change: number) => {
    const number = followers?.querySelector('dd');
    if (!followers || !number || change === 0) return;
    const value = Math.max(0, Number(followers.dataset.followers) + change);
    followers.dataset.followers = String(value);
    followers.hidden = value === 0;
    number.textContent = compactCount(value);
  };

  /** One request at a time; a press meanwhile only changes what is wanted. The call is idempotent (decision S5). */
  async function send(): Promise<void> {
    if (sending) return;
    sending = true;
    try {
      while (wanted !== stored) {
        const following = wanted;
        const response = await fetch(`${address}/follow`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ followType: 'follow', following }),
        });
        if (!response.ok) throw new Error(`${response.status}`);
        stored = following;
      }
      if (status) status.textContent = (stored ? button.dataset.followed : button.dataset.unfollowed) ?? '';
    } catch {
      count(Number(stored) - Number(wanted));
      wanted = stored;
      paint(stored);
      showToast(button.dataset.failed ?? '');
    } finally {
      sending = false;
    }
  }

  button.addEventListener('click', () => {
    wanted = !wanted;
    paint(wanted);
    count(wanted ? 1 : -1);
    void send();
  });
  paint(stored);
  button.hidden = false;
}
