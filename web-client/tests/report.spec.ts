// The report can be read in every theme, and every game has one.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { Clicker } from './support/clicker';
import { expect, openFor, test } from './support/fixtures';
import { solo } from './support/people';

async function inEachTheme(page: Page, check: (theme: string) => Promise<void>): Promise<void> {
  for (const theme of ['light', 'color-blind', 'dark']) {
    await page.getByLabel('Theme').selectOption(theme);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await check(theme);
  }
}

for (const kind of ['diplomacy', 'star-empires', 'stellar-conquest']) {
  test(`the report of ${kind} can be read in every theme`, async ({ page, place }) => {
    const ann = await place.newcomer();
    const id = await solo(ann, kind, 2);
    await openFor(page, place, ann, `/game/${id}`);
    const clicker = new Clicker(page, 3, 0.95);
    for (let step = 0; step < 4; step += 1) await clicker.step();
    await page.goto(`${place.front.url}/game/${id}/report`);
    const report = page.locator('.report-page');
    await expect(report.locator('section').first()).toBeVisible();
    const grounds = new Set<string>();
    const pictures = new Map<string, string>();
    await inEachTheme(page, async (theme) => {
      // So does the picture.
      const picture = report.locator('figure svg');
      await expect.poll(async () => pictures.get(await picture.innerHTML()) ?? theme).toBe(theme);
      pictures.set(await picture.innerHTML(), theme);
      const { violations } = await new AxeBuilder({ page })
        .include('.report-page')
        .exclude({ fromShadowDom: ['.report-page', 'figure'] })
        .withRules(['color-contrast'])
        .analyze();
      const found = violations.flatMap(({ nodes }) =>
        nodes.map(({ html, failureSummary }) => `${theme}: ${html} ${failureSummary}`),
      );
      expect(found).toEqual([]);
      // The paper under the text belongs to the theme.
      const section = report.locator('section').first();
      grounds.add(await section.evaluate((each) => getComputedStyle(each).backgroundColor));
    });
    expect(grounds.size).toBeGreaterThanOrEqual(2);
  });
}

test('a game without a report tells what happened', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'starships-at-large', 2);
  await openFor(page, place, ann, `/game/${id}`);
  await expect(page.locator('.orders:not(.stale), .awaited').first()).toBeVisible();
  await page.getByRole('link', { name: 'Report' }).click();
  await expect(page.getByRole('heading', { name: 'What happened' })).toBeVisible();
  await expect(page.locator('.news li').first()).toBeVisible();
  await expect(page.locator('.sentences li').first()).toBeVisible();
  await expect(page.locator('.trouble')).toHaveCount(0);
  await page.getByLabel('Of which phase').selectOption('0');
  await expect(page).toHaveURL(/\/report\/0$/);
  await expect(page.locator('.sentences li').first()).toBeVisible();
  await expect(page.locator('.trouble')).toHaveCount(0);
});

test('a form gives the values that it shows', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'star-empires', 1);
  await openFor(page, place, ann, `/game/${id}`);
  await page.getByLabel('Find an order').fill('design');
  await page.locator('.offer-button', { hasText: 'ratings' }).first().click();
  const form = page.locator('.offer-form');
  const numbers = form.locator('.shares input');
  expect(
    await numbers.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value)),
  ).toContain('1');
  await expect(form).not.toContainText('Choose ratings');
  await form.locator('input[type=text]').first().fill('Nova');
  await form.getByLabel('hull', { exact: true }).selectOption({ index: 1 });
  await expect(form.getByRole('button', { name: 'Add to the sheet' })).toBeEnabled();
  await form.getByRole('button', { name: 'Add to the sheet' }).click();
  await expect(page.locator('.row-line.good').first()).toBeVisible();
});
