// Measures frames while the map of Star Empires with 12 empires is panned and zoomed.

import type { Page } from '@playwright/test';
import { figure } from '../tests/support/figures';
import { expect, test } from '../tests/support/fixtures';
import { withOptions } from '../tests/support/people';

interface Event {
  name: string;
  ts: number;
  dur?: number;
}

/** Returns the times between frames and the load of the main thread, in milliseconds. */
async function framesOf(page: Page, act: () => Promise<void>): Promise<Record<string, string>> {
  const session = await page.context().newCDPSession(page);
  const traced: Event[] = [];
  session.on('Tracing.dataCollected', ({ value }) => traced.push(...(value as unknown as Event[])));
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.start', {
    traceConfig: {
      includedCategories: [
        'devtools.timeline',
        'disabled-by-default-devtools.timeline',
        'disabled-by-default-devtools.timeline.frame',
      ],
    },
  });
  await page.evaluate(() => {
    const frames: number[] = [];
    Object.assign(window, { frames, measuring: true });
    const note = (at: number) => {
      frames.push(at);
      if ((window as unknown as { measuring: boolean }).measuring) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  await act();
  const frames = await page.evaluate(() => {
    const measured = window as unknown as { frames: number[]; measuring: boolean };
    measured.measuring = false;
    return measured.frames;
  });
  await session.send('Tracing.end');
  await complete;
  const between = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
  const sorted = between.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
  const seconds = between.reduce((sum, each) => sum + each, 0) / 1000;
  const busy = (name: string) =>
    traced.filter((each) => each.name === name).reduce((sum, each) => sum + (each.dur ?? 0), 0);
  const perFrame = (name: string) => (busy(name) / 1000 / frames.length).toFixed(2);
  return {
    'frames per second': (between.length / seconds).toFixed(1),
    'median, p95, p99, longest (ms)': `${at(0.5)}, ${at(0.95)}, ${at(0.99)}, ${at(1)}`,
    'longer than 25 ms': `${between.filter((each) => each > 25).length} of ${between.length}`,
    'main thread per frame (ms)': perFrame('RunTask'),
    'script, layout, paint per frame (ms)': ['FunctionCall', 'Layout', 'Paint']
      .map(perFrame)
      .join(', '),
    dropped: String(traced.filter((each) => each.name === 'DroppedFrame').length),
  };
}

const DEVICES = [
  { name: '1366 × 768', width: 1366, height: 768, cpu: 1, isPhone: false },
  { name: '2560 × 1300', width: 2560, height: 1300, cpu: 1, isPhone: false },
  { name: 'phone, CPU 4 times slower', width: 390, height: 844, cpu: 4, isPhone: true },
];

for (const { name, cpu, isPhone, ...size } of DEVICES) {
  test(`12 empires, ${name}`, async ({ browser, place, open }) => {
    const context = await browser.newContext({
      viewport: size,
      hasTouch: isPhone,
      isMobile: isPhone,
      deviceScaleFactor: isPhone ? 2 : 1,
    });
    const page = await context.newPage();
    const ann = await place.newcomer();
    // The game master sees the ships of all empires.
    const { game } = await ann.games.createGame({
      seatsInOrder: true,
      kind: 'star-empires',
      name: 'Twelve empires',
      options: await withOptions(ann, 'star-empires', { last_turn: 400 }),
      seats: Array.from({ length: 12 }, () => ({
        plan: { case: 'automated' as const, value: { profile: '', level: 'random' } },
      })),
      gameMaster: true,
      startWhenFull: true,
      requestId: crypto.randomUUID(),
    });
    const gameId = game?.gameId ?? '';
    const turn = async () => (await ann.games.getGame({ gameId })).game?.progress ?? '';
    // Twenty turns, or as many as a slow machine resolves in a minute.
    await expect
      .poll(turn, { timeout: 60_000 })
      .toMatch(/map [2-9]\d\b/)
      .catch(() => undefined);
    await ann.master.pauseGame({ gameId });
    await open(page, place, ann, `/game/${gameId}`);
    const stage = page.locator('.stage[data-drawn]');
    await expect(stage).toBeVisible();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
    const box = await stage.boundingBox();
    if (!box) throw new Error('no map');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    const shapes = await stage.evaluate(
      (host) => host.shadowRoot?.querySelectorAll('svg *').length ?? 0,
    );
    const zoom = await framesOf(page, async () => {
      for (let turn = 0; turn < 4; turn += 1) {
        for (let step = 0; step < 30; step += 1) await page.mouse.wheel(0, turn % 2 ? 60 : -60);
      }
    });
    for (let step = 0; step < 12; step += 1) await page.mouse.wheel(0, -120);
    const pan = await framesOf(page, async () => {
      await page.mouse.down();
      for (let step = 0; step < 240; step += 1) {
        const turn = (step / 240) * 4 * Math.PI;
        await page.mouse.move(x + 180 * Math.sin(turn), y + 140 * Math.cos(turn) - 140);
      }
      await page.mouse.up();
    });
    console.log(`${name}, ${await turn()}, ${shapes} elements in the map image`);
    console.table({ zoom, pan });
    const frames = (found: Record<string, string>) => found['frames per second'] ?? '';
    const both = `${frames(zoom)}; ${frames(pan)}`;
    figure(`12 empires, ${name}: zoom; pan`, both, { unit: 'frames/s', limit: '60' });
    expect(shapes).toBeGreaterThan(100);
    await context.close();
  });
}
