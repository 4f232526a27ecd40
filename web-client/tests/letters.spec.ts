// Two browsers at one table, and letters between them.

import { expect, openFor, test } from './support/fixtures';

test('two people play, write and vote', async ({ elsewhere: other, page, place }) => {
  const ann = await place.newcomer();
  const bob = await place.newcomer();
  await openFor(page, place, ann, '/new');
  await page.getByRole('radio', { name: /^Diplomacy/ }).check();
  await page.getByLabel('Name', { exact: true }).fill('Letters');
  const players = page.getByLabel('Players', { exact: true });
  await players.fill('2');
  await players.blur();
  await page.getByLabel('Seat 2').selectOption('kept');
  await page.getByLabel('Player for seat 2').fill(bob.name);
  await page.getByRole('button', { name: 'Create the game' }).click();
  await expect(page.getByText(`kept for ${bob.name}`)).toBeVisible();
  await expect(page.getByRole('heading', { name: `Waiting for ${bob.name}` })).toBeVisible();

  await openFor(other, place, bob);
  await other.getByRole('button', { name: 'Take the seat' }).click();
  await expect(other.locator('.prompt')).toContainText('give your orders');
  await expect(page.locator('.prompt')).toContainText('give your orders');

  await page.getByRole('tab', { name: 'Letters' }).click();
  await page.getByRole('button', { name: new RegExp(bob.name) }).click();
  await page.getByRole('textbox').fill('Shall we?\nI keep out of Galicia.');
  // A look at another tab and a reload leave what is half written.
  await page.getByRole('tab', { name: 'Orders' }).click();
  await page.reload();
  await page.getByRole('tab', { name: 'Letters' }).click();
  await page.getByRole('button', { name: new RegExp(bob.name) }).click();
  await expect(page.getByRole('textbox')).toHaveValue('Shall we?\nI keep out of Galicia.');
  await page.getByRole('textbox').press('Control+Enter');
  await expect(page.locator('.bubbles li.own')).toContainText('Galicia');
  await expect(page.getByRole('textbox')).toHaveValue('');
  // A mark tells that a letter came; opened, it is read.
  const tab = other.getByRole('tab', { name: /Letters/ });
  await expect(tab.locator('.badge')).toHaveText('1');
  await tab.click();
  await other.getByRole('button', { name: new RegExp(ann.name) }).click();
  await expect(other.locator('.bubbles li')).toContainText('Shall we?');
  await expect(tab.locator('.badge')).toHaveCount(0);

  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Propose' }).click();
  await other.getByRole('tab', { name: 'Table' }).click();
  await other.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(page.locator('section.end')).toContainText('A draw');
  await expect(other.locator('section.end')).toContainText('A draw');
});

test('a private game is joined by its address, and an invitation is declined', async ({
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
  await expect(page.getByText('Everybody is here')).toBeVisible();

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
  await page.goto(place.front.url);
  const card = page.locator('.game', { hasText: 'No, thank you' });
  await card.getByRole('button', { name: 'Decline' }).click();
  await expect(card).toHaveCount(0);
  await openFor(host, place, ann);
  await host.getByRole('link', { name: 'No, thank you' }).click();
  await expect(host.getByText('Waiting for 1 player')).toBeVisible();
});
