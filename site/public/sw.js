/**
 * The service worker: notifications and nothing else. It has no `fetch` handler on purpose, so that no page ever comes from
 * here, and a new version takes over at once.
 */
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** @see api/push/send.ts, `Notice` */
self.addEventListener('push', (event) => {
  let notice = {};
  try {
    notice = event.data.json();
  } catch {
    return;
  }
  const { title, body, lang, url, tag } = notice;
  if (typeof title !== 'string') return;
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      lang,
      tag,
      data: { url },
      icon: '/media/brand/1x1-224.png',
    }),
  );
});

/** Opens the page of the notice, in a tab that shows it already if there is one; only ever on this site. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(String(event.notification.data?.url ?? '/'), self.location.origin);
  if (url.origin !== self.location.origin) return;
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then((tabs) => {
      const tab = tabs.find((each) => new URL(each.url).pathname === url.pathname);
      return tab ? tab.focus() : self.clients.openWindow(url.href);
    }),
  );
});

/** The browser wants a new address, by the site's key of now: the session's cookie says whose it is. */
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription());
});

async function renewSubscription() {
  const { publicKey } = await (await fetch('/api/push/key')).json();
  const subscription = await self.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  await fetch('/api/push/subscriptions', {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(subscription),
  });
}
