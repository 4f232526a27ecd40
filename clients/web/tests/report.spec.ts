// The report is readable in every theme, and every game has one.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, openFor, test } from './support/fixtures';
import { solo } from './support/people';
import { RandomClicker } from './support/random-clicker';

async function inEachTheme(page: Page, check: (theme: string) => Promise<void>): Promise<void> {
  for (const theme of ['light', 'color-blind', 'color-blind-light', 'dark']) {
    await page.getByLabel('Theme').selectOption(theme);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await check(theme);
  }
}

for (const kind of ['diplomacy', 'star-empires', 'stellar-conquest', 'starships-at-large']) {
  const tag = kind === 'diplomacy' ? [] : ['@nightly'];
  test(`the report of ${kind} is readable in every theme`, { tag }, async ({ page, place }) => {
    const ann = await place.newcomer();
    const id = await solo(ann, kind, 2);
    await openFor(page, place, ann, `/game/${id}`);
    const clicker = new RandomClicker(page, 3, 0.95);
    for (let step = 0; step < 4; step += 1) await clicker.step();
    await page.goto(`${place.proxy.url}/game/${id}/report`);
    const report = page.locator('.report-page');
    await expect(report.locator('section').first()).toBeVisible();
    const grounds = new Set<string>();
    const pictures = new Map<string, string>();
    await inEachTheme(page, async (theme) => {
      // The map image follows the theme, too.
      const picture = report.locator('figure svg');
      // The engine has one color-blind image, for both backgrounds.
      const image = theme.replace(/-light$/, '');
      await expect.poll(async () => pictures.get(await picture.innerHTML()) ?? image).toBe(image);
      pictures.set(await picture.innerHTML(), image);
      const { violations } = await new AxeBuilder({ page })
        .include('.report-page')
        .exclude({ fromShadowDom: ['.report-page', 'figure'] })
        .withRules(['color-contrast'])
        .analyze();
      const found = violations.flatMap(({ nodes }) =>
        nodes.map(({ html, failureSummary }) => `${theme}: ${html} ${failureSummary}`),
      );
      expect(found).toEqual([]);
      // The background of the text follows the theme.
      const section = report.locator('section').first();
      grounds.add(await section.evaluate((each) => getComputedStyle(each).backgroundColor));
      // Names have the colours of their owners, not the colour of the text around them.
      const plain = await report.locator('span.name').evaluateAll((names) => {
        const colorOf = (element: Element | null) => element && getComputedStyle(element).color;
        return names
          .filter((name) => colorOf(name) === colorOf(name.parentElement))
          .map((name) => name.textContent);
      });
      expect(plain).toEqual([]);
    });
    expect(grounds.size).toBeGreaterThanOrEqual(2);
  });
}

test('the Report button opens the report of Starships', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'starships-at-large', 2);
  await openFor(page, place, ann, `/game/${id}`);
  await expect(page.locator('.orders:not(.stale), .awaited').first()).toBeVisible();
  await page.getByRole('link', { name: 'Report' }).click();
  const report = page.locator('.report-page');
  await expect(report.getByRole('heading', { name: 'Players' })).toBeVisible();
  await expect(page.locator('.trouble')).toHaveCount(0);
  await page.getByLabel('Phase', { exact: true }).selectOption('0');
  await expect(page).toHaveURL(/\/report\/0$/);
  await expect(report.getByRole('heading', { name: 'Players' })).toBeVisible();
  await expect(page.locator('.trouble')).toHaveCount(0);
});

test('a form submits the values that it shows', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'star-empires', 1);
  await openFor(page, place, ann, `/game/${id}`);
  await page.getByLabel('Find an order').fill('design');
  await page.locator('[data-offer^="design"]').first().click();
  const form = page.locator('.offer-form');
  const numbers = form.locator('.shares input');
  expect(
    await numbers.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value)),
  ).toContain('1');
  await expect(form).not.toContainText('Choose ratings');
  await form.locator('input[type=text]').first().fill('Nova');
  await expect(form.getByRole('button', { name: 'Add to the sheet' })).toBeEnabled();
  await form.getByRole('button', { name: 'Add to the sheet' }).click();
  await expect(page.locator('.row-line.good').first()).toBeVisible();
});
