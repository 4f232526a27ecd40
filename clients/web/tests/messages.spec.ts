// Two browsers in one game, and messages between them.

import { expect, openFor, test } from './support/fixtures';
import { duel, solo } from './support/people';

test('two people play, write and vote', async ({ elsewhere: other, page, place }) => {
  const ann = await place.newcomer();
  const bob = await place.newcomer();
  await openFor(page, place, ann, '/new');
  await page.getByRole('radio', { name: /^Diplomacy/ }).check();
  await page.getByLabel('Name', { exact: true }).fill('Correspondence');
  const players = page.getByLabel('Players', { exact: true });
  await players.fill('2');
  await players.blur();
  await page.getByLabel('Seat 2').selectOption('kept');
  await page.getByLabel('Player for seat 2').fill(bob.name);
  await page.getByRole('button', { name: 'Create the game' }).click();
  await expect(page.getByText(`reserved for ${bob.name}`)).toBeVisible();
  await expect(page.getByRole('heading', { name: `Waiting for ${bob.name}` })).toBeVisible();

  await openFor(other, place, bob);
  await other.getByRole('button', { name: 'Take the seat' }).click();
  await expect(other.locator('.prompt')).toContainText('give your orders');
  await expect(page.locator('.prompt')).toContainText('give your orders');

  await page.getByRole('tab', { name: 'Messages' }).click();
  await page.getByRole('button', { name: new RegExp(bob.name) }).click();
  await page.getByRole('textbox').fill('Shall we?\nI keep out of Galicia.');
  // An unfinished message survives opening another tab and a reload.
  await page.getByRole('tab', { name: 'Orders' }).click();
  await page.reload();
  await page.getByRole('tab', { name: 'Messages' }).click();
  await page.getByRole('button', { name: new RegExp(bob.name) }).click();
  await expect(page.getByRole('textbox')).toHaveValue('Shall we?\nI keep out of Galicia.');
  await page.getByRole('textbox').press('Control+Enter');
  await expect(page.locator('.bubbles li.own')).toContainText('Galicia');
  await expect(page.getByRole('textbox')).toHaveValue('');
  // A badge counts unread messages; opening the thread clears it.
  const tab = other.getByRole('tab', { name: /Messages/ });
  await expect(tab.locator('.badge')).toHaveText('1');
  await tab.click();
  await other.getByRole('button', { name: new RegExp(ann.name) }).click();
  await expect(other.locator('.bubbles li')).toContainText('Shall we?');
  await expect(tab.locator('.badge')).toHaveCount(0);

  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Propose' }).click();
  // The other player sees the vote in any tab of the panel, and can vote beside the orders.
  await expect(other.locator('.toast', { hasText: 'draw' })).toHaveCount(1);
  await expect(page.locator('.toast', { hasText: 'draw' })).toHaveCount(0);
  await other.getByRole('tab', { name: 'Orders' }).click();
  await other.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(page.locator('section.end')).toContainText('A draw between Austria and England');
  // No word of the table of scores is broken, even if a row is narrow.
  await page.locator('section.end').evaluate((end) => {
    (end as HTMLElement).style.width = '15rem';
  });
  const lines = await page.locator('.scores th bdi').evaluateAll((names) =>
    names.map((name) => {
      const range = document.createRange();
      range.setStart(name.firstChild as Node, 0);
      range.setEnd(name.firstChild as Node, (name.textContent ?? '').indexOf(' '));
      return range.getClientRects().length;
    }),
  );
  expect(lines).toEqual([1, 1]);
  await expect(other.locator('section.end')).toContainText('A draw');
});

test('a private game is joined by its link, and an invitation is declined', async ({
  elsewhere: host,
  page,
  place,
}) => {
  const ann = await place.newcomer();
  const bob = await place.newcomer();
  const { game } = await ann.games.createGame({
    seatsInOrder: true,
    kind: 'starships-at-large',
    name: 'Behind the door',
    seats: [{ plan: { case: 'open', value: {} } }, { plan: { case: 'open', value: {} } }],
    isPrivate: true,
    requestId: crypto.randomUUID(),
  });
  await openFor(page, place, bob, `/join/${game?.gameId}/${game?.inviteCode}`);
  await page.getByRole('button', { name: 'Take a seat' }).click();
  await expect(page.getByText('All seats are taken')).toBeVisible();

  await ann.games.createGame({
    seatsInOrder: true,
    kind: 'starships-at-large',
    name: 'No, thank you',
    seats: [
      { plan: { case: 'open', value: {} } },
      { plan: { case: 'reservedFor', value: bob.name } },
    ],
    requestId: crypto.randomUUID(),
  });
  await page.goto(place.proxy.url);
  const card = page.locator('.game', { hasText: 'No, thank you' });
  await card.getByRole('button', { name: 'Decline' }).click();
  await expect(card).toHaveCount(0);
  await openFor(host, place, ann);
  await host.getByRole('link', { name: 'No, thank you' }).click();
  await expect(host.getByText('Waiting for 1 player')).toBeVisible();
});

test('unsigned messages are offered only where the game allows them', async ({ page, place }) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const diplomacy = (anonymous_press: boolean) =>
    duel(ann, bob, 'diplomacy', 'A letter', { anonymous_press });
  await openFor(page, place, ann);
  const open = async (game: string) => {
    await page.goto(`${place.proxy.url}/game/${game}`);
    await page.getByRole('tab', { name: 'Messages' }).click();
    await page.getByRole('button', { name: new RegExp(bob.name) }).click();
    await page.getByRole('textbox').fill('From a friend.');
  };
  await open(await diplomacy(false));
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
  await expect(page.getByLabel('Unsigned')).toHaveCount(0);
  await open(await diplomacy(true));
  await page.getByLabel('Unsigned').check();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.locator('.bubbles li.own')).toContainText('unsigned');
});

test('players whom an empire has not met are not offered', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'star-empires', 2);
  await openFor(page, place, ann, `/game/${id}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await page.getByRole('tab', { name: 'Messages' }).click();
  await expect(page.getByText('You have not met 2 other players yet.')).toBeVisible();
  await expect(page.locator('.thread', { hasText: 'Empire' })).toHaveCount(0);
});
