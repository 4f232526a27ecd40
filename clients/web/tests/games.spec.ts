// Plays every kind of game to its end by clicks in the browser.

import { expect, test } from './support/fixtures';
import { solo } from './support/people';
import { RandomClicker } from './support/random-clicker';

interface Plan {
  kind: string;
  automated: number;
  options?: Record<string, number>;
  /** The probability of preferring an order that ends something. */
  haste?: number;
  /** Takes minutes, and runs nightly only. */
  long?: boolean;
}

const PLANS: Plan[] = [
  {
    kind: 'starships-at-large',
    automated: 2,
    options: { rounds: 4 },
  },
  {
    kind: 'star-empires',
    automated: 1,
    options: { last_turn: 5 },
  },
  { kind: 'stellar-conquest', automated: 1, haste: 0.9, long: true },
  // One seat plays all turns. At the default haste, it would order every ship and play for an hour.
  { kind: 'fate-of-empire', automated: 0, haste: 0.95, long: true },
  { kind: 'alone-in-outer-space', automated: 1, long: true },
  {
    kind: 'diplomacy',
    automated: 6,
    options: { last_year: 1903 },
  },
  {
    kind: 'it-came-from-outer-space',
    automated: 3,
    options: { last_year: 1903 },
  },
];

for (const [index, plan] of PLANS.entries()) {
  const tag = plan.long ? ['@nightly'] : [];
  test(`${plan.kind} is played to its end`, { tag }, async ({ page, place, open }) => {
    test.setTimeout(600_000);
    const player = await place.newcomer();
    const { kind, automated, options = {} } = plan;
    const id = await solo(player, kind, automated, { options });
    await open(page, place, player, `/game/${id}`);
    const clicker = new RandomClicker(page, 7 + index, plan.haste);
    await clicker.play();
    expect(clicker.orders).toBeGreaterThan(3);
    // The result shows the engine's places, points and winners.
    const { game: over } = await player.games.getGame({ gameId: id });
    const scores = over?.outcome?.scores ?? [];
    expect(scores.length).toBeGreaterThan(0);
    await expect(page.locator('.scores tbody tr')).toHaveCount(scores.length);
    await expect(page.locator('section.end')).toContainText(over?.outcome?.summary ?? '-');
  });
}

test('each seat has its own colour in the result, even if only outlined', async ({
  page,
  place,
  open,
}) => {
  const player = await place.newcomer();
  const id = await solo(player, 'starships-at-large', 1, { options: { rounds: 2 } });
  await open(page, place, player, `/game/${id}`);
  await new RandomClicker(page, 11).play();
  const dots = page.locator('.scores .dot');
  await expect(dots).toHaveCount(2);
  const colours = () =>
    dots.evaluateAll((all) => all.map((dot) => getComputedStyle(dot).backgroundColor));
  const drawn = () => page.locator('.stage [data-owner] [fill]').count();
  await expect.poll(drawn).toBeGreaterThan(1);
  await expect.poll(async () => new Set(await colours()).size).toBe(2);
});
