// The sandbox: stepping through a file, views side by side, dice, and saving the steps as a file.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './support/fixtures';

const FILE = resolve(import.meta.dirname, '../../../examples/scenarios/combat-dice.json');

test('a scenario is stepped through and saved', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  await open(page, place, ann, '/desk');
  // Position and options may be wrapped in the envelope of the game.
  const file = JSON.parse(readFileSync(FILE, 'utf8'));
  const text = { ...file, position: { starshipsAtLarge: file.position }, options: { rounds: 9 } };
  await page.getByLabel('Or paste the text').fill(JSON.stringify(text));
  await page
    .getByRole('form', { name: 'Scenario file' })
    .getByRole('button', { name: 'Set up' })
    .click();
  await expect(page.locator('.seat-view')).toHaveCount(2);
  await expect(page.locator('.seat-view svg').first()).toBeVisible();
  await page.getByRole('button', { name: 'All steps' }).click();
  await expect(page.locator('.done li.ahead')).toHaveCount(0);
  await expect(page.locator('.done li.refused')).toHaveCount(0);
  await expect(page.locator('.done')).toContainText('5');
  // A rejected order is shown as a result and changes nothing else.
  await page.getByLabel('Orders, one per line').fill('attack A1 B9');
  await page.getByRole('button', { name: 'Order', exact: true }).click();
  await expect(page.locator('.done li.refused .trouble')).toBeVisible();
  await page.getByRole('textbox', { name: 'Dice' }).fill('6 6');
  await page.getByRole('button', { name: 'Script', exact: true }).click();
  await expect(page.getByText('waiting: 6 6')).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).exclude('.stage').analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a scenario' }).click();
  const saved = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as {
    game: string;
    steps: unknown[];
    position: object;
  };
  expect(saved.game).toBe('starships-at-large');
  expect(saved.steps.length).toBeGreaterThan(3);
  expect(Object.keys(saved.position).length).toBeGreaterThan(2);
});
