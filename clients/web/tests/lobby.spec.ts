// The cards of the lobby, and what an invitation shows.

import { expect, openFor, test } from './support/fixtures';
import { solo } from './support/people';

const DAY = { interval: { seconds: 86_400n, nanos: 0 } };

test('cards show the picture, the players and the deadline', async ({
  elsewhere: guest,
  page,
  place,
}) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const names: Record<string, string> = {};
  const { kinds } = await ann.games.listKinds({});
  for (const { kind, name, playersUsual } of kinds) {
    names[kind] = `${kind} of ${ann.name}`;
    await ann.games.createGame({
      kind,
      // A title with the name of the kind needs no second one.
      name: kind === 'diplomacy' ? `${name}, ${ann.name}` : names[kind],
      seats: Array.from({ length: playersUsual }, () => ({
        plan: { case: 'open' as const, value: {} },
      })),
      requestId: crypto.randomUUID(),
    });
  }
  await openFor(page, place, ann);
  const cards = page.locator('.game');
  await expect(cards).toHaveCount(kinds.length);
  const sizes = await page.locator('.kind-image').evaluateAll((images) =>
    Promise.all(
      images.map(async (image) => {
        await (image as HTMLImageElement).decode();
        return (image as HTMLImageElement).naturalWidth;
      }),
    ),
  );
  expect(sizes).toHaveLength(kinds.length);
  expect(Math.min(...sizes)).toBeGreaterThan(0);
  const diplomacy = page.locator('.game', { hasText: `Diplomacy, ${ann.name}` });
  await expect(diplomacy).toContainText('you, 6 open');
  expect((await diplomacy.textContent())?.match(/Diplomacy/g)).toHaveLength(1);
  const conquest = page.locator('.game', { hasText: names['stellar-conquest'] ?? '-' });
  await expect(conquest).toContainText('Stellar Conquest');

  const { game } = await ann.games.createGame({
    seatsInOrder: true,
    kind: 'starships-at-large',
    name: `Timed by ${ann.name}`,
    seats: [
      { plan: { case: 'open', value: {} } },
      { plan: { case: 'reservedFor', value: bob.name } },
    ],
    pace: { standard: DAY },
    startWhenFull: true,
    requestId: crypto.randomUUID(),
  });
  await bob.games.joinGame({ gameId: game?.gameId ?? '', requestId: crypto.randomUUID() });
  // Both see the deadline, although only one is asked.
  await openFor(guest, place, bob);
  await page.reload();
  for (const [each, other] of [
    [page, bob],
    [guest, ann],
  ] as const) {
    const card = each.locator('.game', { hasText: `Timed by ${ann.name}` });
    await expect(card).toContainText(other.name);
    await expect(card.locator('.countdown')).toHaveText(/23 h/);
  }
  await guest.getByRole('tab', { name: 'Watch' }).click();
  const watched = guest.locator('.game', { hasText: `Timed by ${ann.name}` });
  await expect(watched).toContainText(`${ann.name}, you`);
  await expect(watched.locator('.countdown')).toHaveText(/23 h/);
  const alone = await solo(ann, 'diplomacy', 6, { name: 'Against automation' });
  expect(alone).not.toBe('');
  await page.reload();
  await expect(page.locator('.game', { hasText: 'Against automation' })).toContainText(
    'you, 6 automated',
  );
});

test('a join link shows the game and its host, and can be copied', async ({
  context,
  elsewhere: guest,
  page,
  place,
}) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openFor(page, place, ann);
  await openFor(guest, place, bob);
  for (const isPrivate of [true, false]) {
    const { game } = await ann.games.createGame({
      kind: 'stellar-conquest',
      name: `Behind the door ${isPrivate}`,
      seats: Array.from({ length: 2 }, () => ({ plan: { case: 'open' as const, value: {} } })),
      pace: { standard: DAY },
      isPrivate,
      requestId: crypto.randomUUID(),
    });
    await page.goto(`${place.proxy.url}/game/${game?.gameId}`);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link.includes(game?.inviteCode || 'no code')).toBe(isPrivate);

    await guest.goto(link);
    const invitation = guest.getByRole('region', { name: 'The game' });
    await expect(invitation).toContainText(`Behind the door ${isPrivate}`);
    await expect(invitation).toContainText(`Stellar Conquest, hosted by ${ann.name}`);
    await expect(invitation).toContainText(`${ann.name}, 1 open`);
    await expect(invitation).toContainText('1 d');
    // The whole link can be typed, too.
    await guest.goto(`${place.proxy.url}/join`);
    await guest.getByLabel('Game').fill(link);
    await expect(invitation).toContainText(ann.name);
    await guest.getByRole('button', { name: 'Take a seat' }).click();
    await expect(guest.getByText('All seats are taken')).toBeVisible();
  }
});
