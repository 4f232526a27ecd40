// A place to play: an engine, an AI client, and what stands between them and the browser.

import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { Engine } from './engine';
import { Front } from './front';
import { type Person, register } from './people';

let names = 0;

export interface Place {
  engine: Engine;
  front: Front;
  /** Opens an account with a fresh name. */
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
      const front = await Front.start(() => engine.port);
      await use({
        engine,
        front,
        newcomer: (name) => {
          names += 1;
          return register(
            engine.url,
            name ?? `Player ${info.workerIndex}${String.fromCharCode(97 + (names % 26))}${names}`,
          );
        },
      });
      await front.stop();
      await engine.stop();
    },
    { scope: 'worker' },
  ],
  // Whatever the browser complains of, of which it should not, fails the test.
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
  // A page in a browser of its own, for somebody else.
  elsewhere: async ({ browser, faults }, use) => {
    const context = await browser.newContext();
    watch(context, faults);
    await use(await context.newPage());
    await context.close();
  },
});

/** Notes what goes wrong in the pages of a context. */
function watch(context: BrowserContext, faults: Faults): void {
  context.on('page', (page) => {
    page.on('pageerror', (error) => faults.list.push(`${error.message}\n${error.stack}`));
    page.on('console', (message) => {
      const text = message.text();
      // A line that is cut is told to the console by the browser itself.
      const isCut = /net::ERR|Failed to fetch|Failed to load resource/.test(text);
      if (message.type() === 'error' && !isCut) faults.list.push(text);
    });
  });
}

/** Opens the page for somebody, signed in, at an address. */
export async function openFor(page: Page, place: Place, person: Person, path = '/'): Promise<void> {
  await page.goto(`${place.front.url}/sign-in`);
  await page.getByLabel('Token', { exact: true }).fill(person.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Games', level: 1 }).waitFor();
  // The token is kept, so a deep link opens as it does from anywhere else.
  if (path !== '/') await page.goto(`${place.front.url}${path}`);
}

export { expect };
