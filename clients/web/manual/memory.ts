// Measures the memory of a page that follows a fast game for MINUTES (default 10).

import type { CDPSession } from '@playwright/test';
import { figure } from '../tests/support/figures';
import { expect, test } from '../tests/support/fixtures';
import { withOptions } from '../tests/support/people';

const MINUTES = Number(process.env['MINUTES'] ?? 10);

/** Returns the heap in megabytes and the number of nodes after a garbage collection. */
async function heapOf(session: CDPSession): Promise<{ heap: number; nodes: number }> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { metrics } = await session.send('Performance.getMetrics');
  const nodes = metrics.find(({ name }) => name === 'Nodes')?.value ?? 0;
  return { heap: usedSize / 1e6, nodes };
}

test('memory while watching games of seven automated powers', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  let games = 0;
  const begin = async (): Promise<string> => {
    games += 1;
    const { game } = await ann.games.createGame({
      seatsInOrder: true,
      kind: 'diplomacy',
      name: `Watched ${games}`,
      options: await withOptions(ann, 'diplomacy', { last_year: 2100, victory_centers: 34 }),
      seats: Array.from({ length: 7 }, () => ({
        plan: { case: 'automated' as const, value: { profile: '', level: 'random' } },
      })),
      spectate: true,
      startWhenFull: true,
      requestId: crypto.randomUUID(),
    });
    return game?.gameId ?? '';
  };
  let gameId = await begin();
  await open(page, place, ann, `/game/${gameId}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.enable');
  const rows: Record<string, string>[] = [];
  for (let minute = 0; minute <= MINUTES; minute += 1) {
    const { heap, nodes } = await heapOf(session);
    const progress = (await ann.games.getGame({ gameId })).game?.progress ?? '';
    const { cursor } = await ann.games.getView({ gameId, asSpectator: true });
    const row = {
      minute: String(minute),
      game: `${games}, ${progress}`,
      events: String(cursor?.number ?? 0n),
      MB: heap.toFixed(2),
      nodes: String(nodes),
    };
    rows.push(row);
    console.log(Object.values(row).join(' | '));
    // When a game is over, the page opens another one without reloading.
    if (await page.locator('section.end').isVisible()) {
      gameId = await begin();
      await page.getByRole('link', { name: 'Games', exact: true }).click();
      await page.getByRole('tab', { name: 'Watch' }).click();
      await page.getByRole('link', { name: `Watched ${games}`, exact: true }).click();
    }
    if (minute < MINUTES) await page.waitForTimeout(60_000);
  }
  console.table(rows);
  const heap = `${rows[0]?.['MB']}; ${rows.at(-1)?.['MB']} MB`;
  figure(`heap at first; after ${games} games in ${MINUTES} minutes`, heap);
});
