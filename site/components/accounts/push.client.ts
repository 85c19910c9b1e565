/** Notifications of this browser, on and off, on the profile. What is shown is what the browser and the server both hold. */
import { callApi } from '../../client/api.ts';
import { showToast } from '../../client/toast.ts';
import { areOfAnother, rememberNotifications } from '../../stores/notified.ts';

const box = document.querySelector<HTMLElement>('[data-push]');
const sentence = box?.querySelector<HTMLElement>('[data-push-state]');
const button = box?.querySelector<HTMLButtonElement>('[data-push-button]');

const worker = () => navigator.serviceWorker.getRegistration('/');
const current = async () => (await worker())?.pushManager.getSubscription() ?? null;

function showState(isOn: boolean): void {
  if (!box || !sentence || !button) return;
  const isDenied = Notification.permission === 'denied';
  sentence.textContent = (isDenied ? box.dataset.denied : isOn ? box.dataset.isOn : box.dataset.isOff) ?? '';
  button.textContent = (isOn ? box.dataset.off : box.dataset.on) ?? '';
  button.hidden = isDenied && !isOn;
}

/** The server's subscription follows the browser's; a repeat changes nothing. */
export async function saveSubscription(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const body = { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
  await callApi('post', '/api/push/subscriptions', { body, idempotent: true });
  rememberNotifications();
}

const fetchKey = async () => (await callApi('get', '/api/push/key')).publicKey;

async function turnOn(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  const publicKey = await fetchKey();
  await navigator.serviceWorker.register('/sw.js');
  await subscribe(publicKey);
}

async function subscribe(publicKey: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  try {
    await saveSubscription(subscription);
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
}

async function turnOff(subscription: PushSubscription): Promise<void> {
  const { endpoint } = subscription;
  await callApi('delete', '/api/push/subscriptions', { body: { endpoint }, idempotent: true });
  await subscription.unsubscribe();
}

async function toggle(): Promise<void> {
  if (!box || !button) return;
  button.disabled = true;
  try {
    const subscription = await current();
    if (!subscription) await turnOn();
    else await (areOfAnother() ? keepOn(subscription) : turnOff(subscription));
  } catch (error) {
    console.error(error);
    showToast(box.dataset.failed ?? '');
  } finally {
    button.disabled = false;
    showState((await current()) !== null && !areOfAnother());
  }
}

/** Whether a subscription was made with another key of ours than that of now; a browser that does not tell is left alone. */
function isOfFormerKey({ options }: PushSubscription, publicKey: string): boolean {
  const bytes = options?.applicationServerKey;
  if (!bytes) return false;
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') !== publicKey;
}

/** A browser that is on stays on after a new login, which has ended its old session, and after our keys have changed. */
async function keepOn(subscription: PushSubscription): Promise<void> {
  const publicKey = await fetchKey();
  if (!isOfFormerKey(subscription, publicKey)) return saveSubscription(subscription);
  await turnOff(subscription);
  await subscribe(publicKey);
}

async function start(): Promise<void> {
  if (!box || !sentence || !button) return;
  const isAble = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isAble) {
    sentence.textContent = box.dataset.unsupported ?? '';
    return;
  }
  const subscription = await current();
  if (subscription) await (await import('./session.client.ts')).identified;
  const isOn = subscription !== null && !areOfAnother();
  showState(isOn);
  button.addEventListener('click', () => void toggle());
  if (isOn) await keepOn(subscription).catch((error: unknown) => console.error(error));
}

void start();
