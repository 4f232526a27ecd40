// Warnings before the player is ready. Each has a button that fixes it.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { solo } from './support/people';
import { RandomClicker } from './support/random-clicker';

const dialog = (page: Page) => page.locator('dialog.confirm');

test('a warning opens the form that fixes it, and a complete order is submitted', async ({
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
  const mend = dialog(page).locator('[data-fix]').first();
  await expect(mend).toHaveAttribute('data-fix', 'move');
  await expect(mend).toHaveText('Army Budapest moves to …');
  const { violations } = await new AxeBuilder({ page }).include('dialog.confirm').analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  await mend.click();
  await expect(dialog(page)).toHaveCount(0);
  // The offer opens in the list, with the focus in its form.
  const form = page.getByRole('form', { name: 'Fill in the order' });
  await expect(form).toBeFocused();
  await form.locator('select').first().selectOption({ index: 1 });
  const written = (await form.locator('code').textContent()) ?? '';
  expect(written).toMatch(/^[AF] \w+ - \w+/);
  await form.getByRole('button', { name: 'Submit this order' }).click();
  await expect(page.locator('.standing li code')).toHaveText(written);
  // The order did not make the player ready. The next warning covers the remaining units.
  await expect(ready).toBeEnabled();
  await ready.click();
  await expect(dialog(page)).toContainText('have no orders and hold');
  await expect(dialog(page)).not.toContainText(`${written.slice(0, 5)},`);
  // A key reaches the dialog only once it is open.
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

test('warnings about typed lines are shown and fixed below them', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await open(page, place, ann, `/game/${id}`);
  const { decision } = await ann.games.getOffers({ gameId: id });
  expect(decision).toBeDefined();
  await page.getByRole('combobox', { name: 'Order 1' }).fill('A Vie S A Bud');
  const warnings = page.locator('.warnings.soft');
  await expect(warnings).toContainText('no orders');
  await warnings.locator('[data-fix]').first().click();
  await expect(page.getByRole('form', { name: 'Fill in the order' })).toBeFocused();
  await expect(page.getByRole('combobox', { name: 'Order 1' })).toHaveValue('A Vie S A Bud');
});

test('the fix of a warning about a sheet is added to the sheet', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'star-empires', 1);
  await open(page, place, ann, `/game/${id}`);
  await page.getByRole('button', { name: 'I am ready' }).click();
  await expect(dialog(page).locator('.warnings li').first()).toBeVisible();
  await dialog(page).locator('[data-fix]').first().click();
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

test('an offer that the sheet cannot hold is rejected with a message', async ({
  page,
  place,
  open,
}) => {
  test.setTimeout(180_000);
  const ann = await place.newcomer();
  const id = await solo(ann, 'stellar-conquest', 1);
  await open(page, place, ann, `/game/${id}`);
  const clicker = new RandomClicker(page, 5, 1);
  const prompt = page.getByText('Fill in your production sheet.');
  while (!(await prompt.isVisible())) await clicker.step();
  const offer = page.locator('[data-offer="no-posts"]');
  await offer.click();
  await expect(page.getByRole('combobox', { name: 'Order 1' })).toHaveValue('produce posts none');
  await offer.click();
  await expect(page.getByRole('alert')).toContainText(
    'an earlier line already contains command posts',
  );
  await expect(page.getByRole('combobox', { name: 'Order 2' })).toHaveValue('');
  await page.getByRole('button', { name: 'Store the sheet' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
