// The form for a new game: the number of players, and options that are messages.

import { valuesOf } from '@heliopause/client/options';
import { expect, openFor, test } from './support/fixtures';

test('the number of players is one that the game takes', async ({ page, place }) => {
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/new');
  await page.getByRole('radio', { name: /^Diplomacy/ }).check();
  const players = page.getByLabel('Players', { exact: true });
  const seats = page.locator('.seat-plans > li');
  await expect(players).toHaveAttribute('max', '7');
  for (const [typed, taken] of [
    ['64', '7'],
    ['3', '3'],
    ['0', '2'],
    ['2.6', '3'],
    ['', '2'],
  ] as const) {
    await players.fill(typed);
    await players.blur();
    await expect(players).toHaveValue(taken);
    await expect(seats).toHaveCount(Number(taken));
  }
});

test('no option is entered as JSON', async ({ page, place }) => {
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/new');
  await page.locator('.kind').first().waitFor();
  for (const kind of await page.locator('.kind').all()) {
    await kind.locator('input').check();
    const rules = page.locator('form details', { hasText: 'Rules' }).first();
    if ((await rules.count()) === 0) continue;
    await rules.locator('summary').click();
    await expect(rules.locator('.field').first()).toBeVisible();
    await expect(rules.getByText('JSON')).toHaveCount(0);
  }

  await page.getByRole('radio', { name: /^Star Empires/ }).check();
  await page.locator('form details > summary', { hasText: 'Rules' }).click();
  await page.getByRole('button', { name: 'Add to empires' }).click();
  await page.getByRole('button', { name: 'Add to empires' }).click();
  const second = page.getByRole('group', { name: 'Empires 2' });
  await second.getByLabel('Empire', { exact: true }).fill('Removed');
  await page.getByRole('button', { name: 'Remove empires 2' }).click();
  const first = page.getByRole('group', { name: 'Empires 1' });
  await first.getByLabel('Empire', { exact: true }).fill('Embers');
  await first.getByLabel('Homeworld').fill('Ember');
  await page.getByRole('button', { name: 'Create the game' }).click();
  await expect(page).toHaveURL(/\/game\//);
  const gameId = new URL(page.url()).pathname.split('/')[2] ?? '';
  const { game } = await ann.games.getGame({ gameId });
  const { empires } = (await valuesOf(game?.options)) ?? {};
  expect(empires).toEqual([expect.objectContaining({ empire: 'Embers', homeworld: 'Ember' })]);

  // A whole galaxy can be read from a file, and its fields are in the form.
  await page.goto(`${place.proxy.url}/new`);
  await page.getByRole('radio', { name: /^Star Empires/ }).check();
  await page.locator('form details > summary', { hasText: 'Rules' }).click();
  const scenario = page.getByRole('group', { name: 'Scenario', exact: true });
  const load = (text: string) =>
    scenario.getByLabel('Load from a file').setInputFiles({
      name: 'galaxy.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
  await load('{');
  await expect(scenario.getByText('galaxy.json is not a JSON file.')).toBeVisible();
  await load('{"worlds": [{"name": "Ash", "at": {"oblique": 1, "y": 2}, "siege": "SIEGE_NONE"}]}');
  const world = scenario.getByRole('group', { name: 'Worlds 1', exact: true });
  await expect(world.getByLabel('Name')).toHaveValue('Ash');
  await expect(world.getByLabel('Siege')).toHaveValue('SIEGE_NONE');
  await expect(world.getByLabel('Oblique')).toHaveValue('1');
});
