// Measures how soon the page can be used on a slow connection and a slow machine.

import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { figure } from '../tests/support/figures';
import { expect, openFor, test } from '../tests/support/fixtures';
import { solo } from '../tests/support/people';

const PROFILES = [
  { name: 'unthrottled', down: -1, latency: 0, cpu: 1 },
  { name: '10 Mbit/s, 40 ms, CPU 4 times slower', down: 10e6 / 8, latency: 40, cpu: 4 },
  { name: '1.6 Mbit/s, 150 ms, CPU 4 times slower', down: 1.6e6 / 8, latency: 150, cpu: 4 },
];
const ROUNDS = 5;

test('the size of the first load', async () => {
  const size = execFileSync('node', ['size.mjs'], { cwd: resolve(import.meta.dirname, '..') });
  const total = /(\d+) {2}first load/.exec(String(size))?.[1];
  figure('first load, compressed', Number(total) / 1000, { unit: 'KB', limit: '150 KB' });
});

test('time to interactive with an empty cache', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await openFor(page, place, ann);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const screens: [string, string, string][] = [
    ['lobby', '/', '.game .cover'],
    ['table', `/game/${id}`, '.offer-button:enabled'],
  ];
  const found: Record<string, Record<string, string>> = {};
  for (const { name, down, latency, cpu } of PROFILES) {
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      downloadThroughput: down,
      uploadThroughput: down,
      latency,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
    for (const [screen, path, usable] of screens) {
      const took: number[] = [];
      const painted: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await page.goto(`${place.proxy.url}${path}`, { waitUntil: 'commit' });
        const at = await page.waitForFunction((selector) => {
          if (!document.querySelector(selector)) return 0;
          return performance.now();
        }, usable);
        took.push(await at.jsonValue());
        painted.push(
          await page.evaluate(
            () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
          ),
        );
      }
      const middle = (all: number[]) =>
        `${Math.round(all.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0)} ms`;
      const most = name.startsWith('10 Mbit/s') ? { limit: '1 s' } : {};
      figure(`time to show the ${screen}, ${name}`, middle(took), most);
      found[`${screen}, ${name}`] = {
        'first paint': middle(painted),
        usable: middle(took),
        best: `${Math.round(Math.min(...took))} ms`,
      };
    }
  }
  console.table(found);
  expect(Object.keys(found)).toHaveLength(PROFILES.length * screens.length);
});
