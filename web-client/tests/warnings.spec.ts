// What a player would leave undone: each warning has a button that does it.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { Clicker } from './support/clicker';
import { expect, test } from './support/fixtures';
import { solo } from './support/people';

const dialog = (page: Page) => page.locator('dialog.confirm');

test('a warning opens the form of what mends it, and an order without blanks is given', async ({
  page,
  place,
  open,
}) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await open(page, place, ann, `/game/${id}`);
  const ready = page.getByRole('button', { name: 'I am ready' });
  await ready.click();
  await expect(dialog(page)).toContainText('have no orders and hold');
  const mend = dialog(page).locator('[data-mend]').first();
  await expect(mend).toHaveAttribute('data-mend', 'move');
  const { violations } = await new AxeBuilder({ page }).include('dialog.confirm').analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  await mend.click();
  await expect(dialog(page)).toHaveCount(0);
  // The warning's offer stands open among the others, and the keyboard is in it.
  const form = page.getByRole('form', { name: 'Fill in the order' });
  await expect(form).toBeFocused();
  await form.locator('select').first().selectOption({ index: 1 });
  const written = (await form.locator('code').textContent()) ?? '';
  expect(written).toMatch(/^[AF] \w+ - \w+/);
  await form.getByRole('button', { name: 'Give this order' }).click();
  await expect(page.locator('.standing li')).toHaveText(written);
  // Nobody was made ready by it; the next warning speaks of the units that are left.
  await expect(ready).toBeEnabled();
  await ready.click();
  await expect(dialog(page)).toContainText('have no orders and hold');
  await expect(dialog(page)).not.toContainText(`${written.slice(0, 5)},`);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

test('typed lines are warned of below them, and mended there', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await open(page, place, ann, `/game/${id}`);
  const { decision } = await ann.games.getOffers({ gameId: id });
  expect(decision).toBeDefined();
  await page.getByRole('combobox', { name: 'Order 1' }).fill('A Vie S A Bud');
  const warnings = page.locator('.warnings.soft');
  await expect(warnings).toContainText('no orders');
  await warnings.locator('[data-mend]').first().click();
  await expect(page.getByRole('form', { name: 'Fill in the order' })).toBeFocused();
  await expect(page.getByRole('combobox', { name: 'Order 1' })).toHaveValue('A Vie S A Bud');
});

test('what mends the warning of a sheet goes onto the sheet', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'star-empires', 1);
  await open(page, place, ann, `/game/${id}`);
  await page.getByRole('button', { name: 'I am ready' }).click();
  await expect(dialog(page).locator('.warnings li').first()).toBeVisible();
  await dialog(page).locator('[data-mend]').first().click();
  const form = page.getByRole('form', { name: 'Fill in the order' });
  const row = page.getByRole('combobox', { name: 'Order 1' });
  await expect(form.or(row).first()).toBeVisible();
  await form.getByRole('button', { name: 'Add to the sheet' }).waitFor();
  for (const select of await form.locator('select').all()) await select.selectOption({ index: 1 });
  for (const box of await form.locator('fieldset').all())
    await box.getByRole('checkbox').first().check();
  for (const field of await form.locator('input[type=text]').all())
    await field.fill((await field.getAttribute('placeholder')) ?? 'Nova');
  await form.getByRole('button', { name: 'Add to the sheet' }).click();
  await expect(row).not.toHaveValue('');
});

test('an offer that cannot stand on the sheet is told of, and left out', async ({
  page,
  place,
  open,
}) => {
  test.setTimeout(180_000);
  const ann = await place.newcomer();
  const id = await solo(ann, 'stellar-conquest', 1);
  await open(page, place, ann, `/game/${id}`);
  const clicker = new Clicker(page, 5, 1);
  const prompt = page.getByText('Fill in your production sheet.');
  while (!(await prompt.isVisible())) await clicker.step();
  const offer = page.getByRole('button', { name: 'No command post stands afterwards' });
  await offer.click();
  await expect(page.getByRole('combobox', { name: 'Order 1' })).toHaveValue('produce posts none');
  await offer.click();
  await expect(page.getByRole('alert')).toContainText('the posts stand in a line before');
  await expect(page.getByRole('combobox', { name: 'Order 2' })).toHaveValue('');
  await page.getByRole('button', { name: 'Store the sheet' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
