// The installable page: its manifest, its service worker, and the notices of the service worker.

import { readdirSync } from 'node:fs';
import type { BrowserContext, Page, Worker } from '@playwright/test';
import { expect, openFor, test } from './support/fixtures';
import { solo } from './support/people';
import { DIST } from './support/proxy';

test.use({ serviceWorkers: 'allow' });

async function worker(page: Page): Promise<Worker> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) => {
      navigator.serviceWorker.addEventListener('controllerchange', done);
    });
  });
  const [found] = page.context().serviceWorkers();
  if (!found) throw new Error('the page has no service worker');
  return found;
}

async function push(context: BrowserContext, page: Page, data: unknown): Promise<void> {
  const session = await context.newCDPSession(page);
  const registrationId = new Promise<string>((found) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) found(registration.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: await registrationId,
    data: JSON.stringify(data),
  });
}

test('the manifest has icons, shortcuts and a start page', async ({ page, place }) => {
  await page.goto(`${place.proxy.url}/sign-in`);
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? '{}');
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' });
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    if (sizes !== 'any') expect(size, src).toBe(sizes);
  }
  expect(manifest.icons.map(({ purpose }: { purpose?: string }) => purpose)).toContain('maskable');
  expect(manifest.shortcuts.map(({ url }: { url: string }) => url)).toEqual(['/', '/new']);
  // A preview of a link shows the picture of the page.
  const preview = page.locator('meta[property="og:image"]');
  const image = await page.request.get(
    new URL((await preview.getAttribute('content')) ?? '', page.url()).href,
  );
  expect(image.headers()['content-type']).toBe('image/png');
});

test('without a connection the page says so, and returns by itself', async ({
  context,
  page,
  place,
}) => {
  const ann = await place.newcomer();
  await solo(ann, 'diplomacy', 6, { name: 'Kept on the server' });
  await openFor(page, place, ann);
  const card = page.locator('.game', { hasText: 'Kept on the server' });
  await expect(card).toBeVisible();
  await worker(page);
  // The cache contains the page and every built file, and no answer of the engine.
  const cached = await page.evaluate(async () => {
    const [name = ''] = await caches.keys();
    const keys = await (await caches.open(name)).keys();
    return keys.map(({ url }) => new URL(url).pathname);
  });
  const built = readdirSync(`${DIST}/assets`).map((name) => `/assets/${name}`);
  expect(cached.toSorted()).toEqual(['/', ...built].toSorted());

  await context.setOffline(true);
  await page.goto(`${place.proxy.url}/new`);
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await expect(page.getByText('The server cannot be reached.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'New game' })).toBeVisible();
  await page.goto(place.proxy.url);
  await expect(card).toBeVisible();
});

test('a deployment reaches an open browser at once', async ({ page, place }) => {
  await page.goto(`${place.proxy.url}/sign-in`);
  await worker(page);
  const before = await page.evaluate(() => caches.keys());
  place.proxy.rewrite = (path, body) => {
    if (path === '/service-worker.js') {
      return Buffer.from(body.toString().replace(before[0] ?? '', 'next'));
    }
    if (path !== '/index.html') return body;
    return Buffer.from(body.toString().replace('content="Space strategy', 'content="Deployed'));
  };
  try {
    await page.reload();
    const description = page.locator('meta[name="description"]');
    await expect(description).toHaveAttribute('content', /^Deployed/);
    await expect.poll(() => page.evaluate(() => caches.keys())).toContain('next');
  } finally {
    place.proxy.rewrite = undefined;
  }
});

test('the service worker shows pushed notices, which open their page', async ({
  context,
  page,
  place,
}) => {
  await context.grantPermissions(['notifications']);
  await page.goto(`${place.proxy.url}/sign-in`);
  const script = await worker(page);
  await push(context, page, {
    title: 'Europe, 1901',
    body: 'It is your turn.',
    url: '/game/abc',
    tag: 'abc',
  });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({
        title,
        body,
        tag,
        data,
      }));
    });
  await expect
    .poll(shown)
    .toEqual([{ title: 'Europe, 1901', body: 'It is your turn.', tag: 'abc', data: '/game/abc' }]);
  // Chromium lets only real clicks open a window, so the test records the address.
  const opened = await script.evaluate(async () => {
    const scope = globalThis as unknown as ServiceWorkerScope;
    const addresses: string[] = [];
    scope.clients.openWindow = async (address: string) => void addresses.push(address);
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
    await new Promise((done) => setTimeout(done));
    for (let turn = 0; addresses.length === 0 && turn < 100; turn += 1) {
      await scope.clients.matchAll();
    }
    return addresses;
  });
  expect(opened).toEqual([`${place.proxy.url}/game/abc`]);
  expect(await shown()).toEqual([]);
});

/** What the test uses of the scope of a service worker. */
interface ServiceWorkerScope {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(): Promise<unknown[]>;
    openWindow(address: string): Promise<unknown>;
  };
  dispatchEvent(event: Event): boolean;
}
declare const NotificationEvent: new (
  type: string,
  init: { notification: Notification | undefined },
) => Event;
