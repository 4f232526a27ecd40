// Test fixtures: an engine, an AI client, and a proxy between them and the browser.

import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { Engine } from './engine';
import { type Person, register } from './people';
import { EngineProxy } from './proxy';

let names = 0;

export interface Place {
  engine: Engine;
  proxy: EngineProxy;
  newcomer(name?: string): Promise<Person>;
}

interface Faults {
  list: string[];
}

export const test = base.extend<
  { faults: Faults; open: typeof openFor; elsewhere: Page },
  { place: Place }
>({
  place: [
    async ({}, use, info) => {
      const engine = await Engine.start(['--sandbox']);
      engine.automate();
      const proxy = await EngineProxy.start(() => engine.port);
      await use({
        engine,
        proxy,
        newcomer: (name) => {
          names += 1;
          return register(
            engine.url,
            name ?? `Player ${info.workerIndex}${String.fromCharCode(97 + (names % 26))}${names}`,
          );
        },
      });
      await proxy.stop();
      await engine.stop();
    },
    { scope: 'worker' },
  ],
  // Unexpected errors in the browser fail the test.
  faults: [
    async ({ context }, use) => {
      const faults: Faults = { list: [] };
      watch(context, faults);
      await use(faults);
      expect(faults.list).toEqual([]);
    },
    { auto: true },
  ],
  open: async ({}, use) => use(openFor),
  // A page in another browser context, for a second player.
  elsewhere: async ({ browser, faults }, use) => {
    const context = await browser.newContext();
    watch(context, faults);
    await use(await context.newPage());
    await context.close();
  },
});

function watch(context: BrowserContext, faults: Faults): void {
  context.on('page', (page) => {
    page.on('pageerror', (error) => faults.list.push(`${error.message}\n${error.stack}`));
    page.on('console', (message) => {
      const text = message.text();
      // The browser itself logs lost connections, which tests cause on purpose.
      const isCut = /net::ERR|Failed to fetch|Failed to load resource/.test(text);
      if (message.type() === 'error' && !isCut) faults.list.push(text);
    });
  });
}

/** Signs in on the page and opens an address. */
export async function openFor(page: Page, place: Place, person: Person, path = '/'): Promise<void> {
  await page.goto(`${place.proxy.url}/sign-in`);
  await page.getByLabel('Token', { exact: true }).fill(person.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Games', level: 1 }).waitFor();
  // The token is stored, so the address can be opened directly.
  if (path !== '/') await page.goto(`${place.proxy.url}${path}`);
}

export { expect };
