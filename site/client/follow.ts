/** The Follow button of a logged-in fan (§4 Follow): shown at once, taken back when the server refuses. */
import { compactCount } from '../i18n/format.ts';
import { CallFailed, callApi } from './api.ts';
import { showToast } from './toast.ts';

/** Shows the button in the fan's own state and lets it toggle. Without a valid session it stays hidden (§6). */
export async function startFollow(button: HTMLButtonElement): Promise<void> {
  const params = { id: Number(button.dataset.follow) };
  const status = document.querySelector('[data-star-status]');
  const followers = document.querySelector<HTMLElement>('[data-followers]');
  const profile = await callApi('get', '/api/stars/:id/profile', { params }).catch((error: unknown) =>
    error instanceof CallFailed && error.status >= 500 ? { isFollowing: false } : undefined,
  );
  if (!profile) return;
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
        await callApi('post', '/api/stars/:id/follow', {
          params,
          body: { followType: 'follow', following },
          idempotent: true,
        });
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
