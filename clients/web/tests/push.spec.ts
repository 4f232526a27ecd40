// Push messages: a device subscribes on the account page, and the engine sends to its push service.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { Engine } from './support/engine';
import { expect, openFor, test } from './support/fixtures';
import { register } from './support/people';
import { EngineProxy } from './support/proxy';

test.use({ serviceWorkers: 'allow' });

/** Subscribes at a local service, because the browser's own service needs the internet. */
async function subscribeLocally(page: Page, endpoint: string): Promise<void> {
  await page.addInitScript((address) => {
    let own: PushSubscription | undefined;
    PushManager.prototype.getSubscription = async () => own ?? null;
    PushManager.prototype.subscribe = async (options) => {
      const curve = { name: 'ECDH', namedCurve: 'P-256' };
      const { publicKey } = await crypto.subtle.generateKey(curve, true, ['deriveBits']);
      const point = await crypto.subtle.exportKey('raw', publicKey);
      own = {
        endpoint: address,
        options,
        getKey: (name: string) => (name === 'auth' ? new Uint8Array(16).buffer : point),
        unsubscribe: async () => {
          own = undefined;
          return true;
        },
      } as unknown as PushSubscription;
      return own;
    };
  }, endpoint);
}

test('a device subscribes, receives a test and is removed', async ({ page, context }) => {
  const received: { path: string; headers: IncomingHttpHeaders }[] = [];
  const service = createServer((request, response) => {
    received.push({ path: request.url ?? '', headers: request.headers });
    request.resume();
    response.writeHead(201).end();
  });
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
  const engine = await Engine.start(['--notices-webhooks', '--notices-private-addresses']);
  const proxy = await EngineProxy.start(() => engine.port);
  try {
    const ann = await register(engine.url, 'Ann of the Phone');
    const place = { engine, proxy, newcomer: async () => ann };
    await context.grantPermissions(['notifications'], { origin: proxy.url });
    const { port } = service.address() as AddressInfo;
    await subscribeLocally(page, `http://127.0.0.1:${port}/push/1`);
    await openFor(page, place, ann, '/account');

    const notices = page.getByRole('region', { name: 'Notices' });
    await notices.getByRole('button', { name: 'Send notices to this device' }).click();
    const channel = notices.getByRole('listitem').filter({ hasText: '(this device)' });
    await expect(channel).toContainText(/Chrome.* \(this device\) on/);
    await expect(notices.getByRole('button', { name: 'Send notices' })).toHaveCount(0);
    await channel.getByRole('button', { name: 'Test' }).click();
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]?.path).toBe('/push/1');
    expect(received[0]?.headers['content-encoding']).toBe('aes128gcm');

    await channel.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(channel).toHaveCount(0);
    await expect(notices.getByRole('button', { name: 'Send notices' })).toBeVisible();
  } finally {
    await proxy.stop();
    await engine.stop();
    service.close();
  }
});
