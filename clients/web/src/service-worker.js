// Opens the page without a connection, and shows the notices that arrive while it is closed. The
// build writes the names of its files into this script, so each deployment has another script.

const FILES = [];
const CACHE = 'CACHE';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['/', ...FILES])));
});

self.addEventListener('activate', (event) => {
  const remove = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(remove());
});

// Only the page and its files. Calls to the engine never come from the cache.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(file(request));
});

/** Returns the latest page; the cached one if neither the engine nor a proxy has an answer. */
async function page(request) {
  const answer = await fetch(request).catch(() => undefined);
  if (answer && answer.status < 500) return answer;
  return (await caches.match('/')) ?? answer ?? Response.error();
}

/** The name of a file contains its hash, so a cached file is never out of date. */
async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data.json();
  const shown = { body, tag, icon: '/icon-192.png', data: url };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { origin, href } = new URL(event.notification.data, self.location.origin);
  if (origin === self.location.origin) event.waitUntil(show(href));
});

/** Shows the tab with an address, or opens one. */
async function show(href) {
  const tabs = await self.clients.matchAll({ type: 'window' });
  const open = tabs.find(({ url }) => url === href);
  await (open ? open.focus() : self.clients.openWindow(href));
}
