// The memory of a page that follows a fast game: MINUTES (default 10; 60 for the hour).

import type { CDPSession } from '@playwright/test';
import { expect, test } from '../tests/support/fixtures';
import { withOptions } from '../tests/support/people';

const MINUTES = Number(process.env['MINUTES'] ?? 10);

/** What is left after the rubbish was collected, in megabytes. */
async function heapOf(session: CDPSession): Promise<{ heap: number; nodes: number }> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { metrics } = await session.send('Performance.getMetrics');
  const nodes = metrics.find(({ name }) => name === 'Nodes')?.value ?? 0;
  return { heap: usedSize / 1e6, nodes };
}

test('a game of seven automated powers is watched', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  const { game } = await ann.games.createGame({
    kind: 'diplomacy',
    name: 'Without an end',
    options: await withOptions(ann, 'diplomacy', { last_year: 2899 }),
    seats: Array.from({ length: 7 }, () => ({
      plan: { case: 'automated' as const, value: { profile: '', level: 'random' } },
    })),
    spectate: true,
    startWhenFull: true,
    requestId: crypto.randomUUID(),
  });
  await open(page, place, ann, `/game/${game?.gameId}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.enable');
  const rows: Record<string, string>[] = [];
  for (let minute = 0; minute <= MINUTES; minute += 1) {
    const { heap, nodes } = await heapOf(session);
    const { phases } = await ann.games.listPhases({ gameId: game?.gameId ?? '', pageSize: 1 });
    const progress = (await ann.games.getGame({ gameId: game?.gameId ?? '' })).game?.progress ?? '';
    rows.push({ minute: String(minute), progress, MB: heap.toFixed(2), nodes: String(nodes) });
    console.log(minute, progress, `${heap.toFixed(2)} MB`, nodes, 'nodes', phases.length > 0);
    if (minute < MINUTES) await page.waitForTimeout(60_000);
  }
  console.table(rows);
});
