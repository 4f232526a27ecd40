// Tournaments: the list, the form, and the page of a tournament.

import { expect, openFor, test } from './support/fixtures';
import { person } from './support/people';

test('a tournament is created, entered, started and shown', async ({ page, elsewhere, place }) => {
  const ann = await place.newcomer();
  const bob = await place.newcomer();
  await openFor(page, place, ann, '/');
  await page.getByRole('link', { name: 'Tournaments' }).click();
  await expect(page.getByRole('heading', { name: 'Tournaments', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'New tournament' }).click();
  await page.getByLabel('Game', { exact: true }).selectOption({ label: 'Star Empires' });
  await page.getByLabel('Name', { exact: true }).fill('Spring Cup');
  await page.getByLabel('System').selectOption({ label: 'Round robin' });
  await page.getByLabel('Bots can enter').check();
  await page.getByRole('button', { name: 'Create the tournament' }).click();
  await expect(page.getByRole('heading', { name: 'Spring Cup', level: 1 })).toBeVisible();
  await expect(page.getByText('The host starts the tournament.')).toBeVisible();

  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  const standings = page.getByRole('region', { name: 'Standings' });
  await expect(standings.getByRole('link', { name: ann.name })).toBeVisible();
  await page.getByLabel('Level of the bot').fill('godlike');
  await page.getByRole('button', { name: 'Enter a bot' }).click();
  await expect(page.getByRole('alert')).toContainText('godlike');
  await page.getByLabel('Level of the bot').fill('random');
  await page.getByRole('button', { name: 'Enter a bot' }).click();
  await expect(standings).toContainText('(random)');
  await standings.getByRole('button', { name: 'Remove' }).last().click();
  await expect(standings).not.toContainText('(random)');

  await openFor(elsewhere, place, bob, '/tournaments');
  const card = elsewhere.getByRole('listitem').filter({ hasText: 'Spring Cup' });
  await expect(card).toContainText('accepts entries');
  await card.getByRole('link', { name: 'Spring Cup' }).click();
  await elsewhere.getByRole('button', { name: 'Enter', exact: true }).click();
  await expect(elsewhere.getByRole('button', { name: 'Withdraw' })).toBeVisible();
  await expect(elsewhere.getByRole('button', { name: 'Start now' })).toHaveCount(0);

  await expect(standings.getByRole('link', { name: bob.name })).toBeVisible();
  await page.getByRole('button', { name: 'Start now' }).click();
  const round = page.getByRole('region', { name: 'Round 1' });
  await expect(round).toContainText('is being played');
  await expect(standings.getByRole('columnheader', { name: 'Sonneborn-Berger' })).toBeVisible();
  await round.getByRole('link', { name: 'Open game 1' }).click();
  await expect(page.getByRole('heading', { name: 'Spring Cup: round 1', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Tournament', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel the tournament' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the tournament' }).click();
  await expect(page.getByText('Canceled by its host.')).toBeVisible();
});

test('without an account, a tournament can be watched', async ({ page, elsewhere, place }) => {
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/tournaments/new');
  await page.getByLabel('Name', { exact: true }).fill('Public Cup');
  await page.getByRole('button', { name: 'Create the tournament' }).click();
  await expect(page.getByRole('heading', { name: 'Public Cup', level: 1 })).toBeVisible();
  await elsewhere.goto(page.url());
  await expect(elsewhere.getByRole('heading', { name: 'Public Cup', level: 1 })).toBeVisible();
  await expect(elsewhere.getByRole('button', { name: 'Enter', exact: true })).toHaveCount(0);
});

test('a guest is asked to choose a name before any tournament', async ({
  page,
  elsewhere,
  place,
}) => {
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/tournaments/new');
  await page.getByLabel('Name', { exact: true }).fill('Named Cup');
  await page.getByRole('button', { name: 'Create the tournament' }).click();
  await expect(page.getByRole('heading', { name: 'Named Cup', level: 1 })).toBeVisible();
  // The parts of the page do not touch.
  const boxes = await page
    .locator('main > :is(section, .row)')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
  expect(boxes.length).toBe(3);
  for (const [index, box] of boxes.slice(1).entries()) {
    expect(box.top - boxes[index].bottom).toBeGreaterThan(8);
  }
  const cup = page.url();
  const { token } = await ann.players.register({ name: '' });
  await openFor(elsewhere, place, person(place.proxy.url, 'Guest', token), '/tournaments/new');
  const note = elsewhere.getByText('Guests cannot create or enter tournaments.');
  await expect(note).toBeVisible();
  await expect(elsewhere.getByRole('button', { name: 'Create the tournament' })).toHaveCount(0);
  await elsewhere.goto(cup);
  await expect(note).toBeVisible();
  await expect(elsewhere.getByRole('button', { name: 'Enter', exact: true })).toHaveCount(0);
  await note.getByRole('link', { name: 'Choose a name first.' }).click();
  await expect(elsewhere.getByLabel('Choose your name')).toBeVisible();
});
