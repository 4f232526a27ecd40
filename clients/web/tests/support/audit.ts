// Checks of a screen: width, sizes of texts and targets, and axe, in each theme.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { figure } from './figures';
import { expect } from './fixtures';

const WIDTHS = [360, 768, 1366, 2560];
const THEMES = ['light', 'color-blind', 'color-blind-light', 'dark'];
const TEXT_MIN = 10;
const TARGET_MIN = { mouse: 24, touch: 44 };

/** Checks a screen at all widths, with a mouse and a finger, and in each theme. */
export async function look(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (enabled: boolean) =>
    session.send('Emulation.setTouchEmulationEnabled', { enabled, maxTouchPoints: 5 });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 500 ? 740 : width > 2000 ? 1300 : 768 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide, `the page is ${wide} px wide in a window of ${width} px`).toBeLessThanOrEqual(
      width,
    );
    await checkSizes(page, 'mouse');
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await touch(true);
  expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true);
  await checkSizes(page, 'touch');
  await touch(false);
  await page.setViewportSize({ width: 1366, height: 768 });
  // Colors must not be measured while they change.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const theme of THEMES) {
    await page.getByLabel('Theme', { exact: true }).selectOption(theme);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    // The map image and the report keep the engine's colours; the tree is the alternative.
    const axe = new AxeBuilder({ page }).exclude('.stage').exclude('.report-page');
    if (theme !== 'dark') axe.withRules(['color-contrast']);
    const { violations } = await axe.analyze();
    figure('findings of axe', violations.length, { limit: '0', fold: 'sum' });
    const found = violations.map(
      ({ id, nodes }) => `${theme} ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
    );
    expect(found).toEqual([]);
  }
  figure('screens checked by axe, in 4 themes each', 1, { fold: 'sum' });
  await session.detach();
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function checkSizes(page: Page, pointer: 'mouse' | 'touch'): Promise<void> {
  // The board arranges its texts shortly after the window has its size.
  const small = async () => (await textSizes(page)).filter(({ size }) => size < TEXT_MIN - 0.1);
  await expect.poll(small).toEqual([]);
  const [smallest] = await textSizes(page);
  if (smallest) {
    figure('smallest text', smallest.size, { unit: 'px', limit: '10 px', fold: 'least' });
  }
  const targets = await targetSizes(page);
  const least = TARGET_MIN[pointer];
  if (targets[0]) {
    const name = `smallest target for a ${pointer === 'touch' ? 'finger' : 'mouse'}`;
    figure(name, targets[0].size, { unit: 'px', limit: `${least} px`, fold: 'least' });
  }
  expect(targets.filter(({ size }) => size < least - 0.1)).toEqual([]);
}

/** Returns the sizes of the texts of the page and of the board, the smallest first. */
function textSizes(page: Page): Promise<{ size: number; text: string }[]> {
  return page.evaluate(() => {
    const inPage = [...document.body.querySelectorAll('*')];
    // The board arranges only the texts in sight and near it.
    const onBoard = [...document.querySelectorAll('.stage')].flatMap((stage) => {
      const frame = stage.getBoundingClientRect();
      return [...(stage.shadowRoot?.querySelectorAll('text') ?? [])].filter((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        const isBeside = right < frame.left || left > frame.right;
        return !(isBeside || bottom < frame.top || top > frame.bottom);
      });
    });
    return [...inPage, ...onBoard]
      .filter((element) => {
        const hasText = [...element.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
        );
        return hasText && element.getClientRects().length > 0;
      })
      .map((element) => {
        const scale = element instanceof SVGTextElement ? (element.getScreenCTM()?.a ?? 1) : 1;
        const size = Number.parseFloat(getComputedStyle(element).fontSize) * scale;
        return { size: Math.round(size * 10) / 10, text: element.outerHTML.slice(0, 160) };
      })
      .toSorted((one, other) => one.size - other.size)
      .slice(0, 20);
  });
}

/** Returns the sizes of everything that can be clicked, the smallest first. */
function targetSizes(page: Page): Promise<{ size: number; target: string }[]> {
  return page.evaluate(() => {
    const CONTROLS = 'a[href], button, select, input, textarea, summary, [role=tab], [role=slider]';
    return (
      [...document.querySelectorAll<HTMLElement>(CONTROLS)]
        .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        // Words of a sentence may be smaller (WCAG 2.5.8).
        .filter((each) => {
          const isWord =
            getComputedStyle(each).display === 'inline' || each.matches('.term, .rule');
          return !(isWord && each.closest('p, li, bdi, dd, td, label'));
        })
        .map((each) => {
          // A label is part of its box, and the link of a card covers the card.
          const whole = each.closest(each.matches('.cover') ? '.game' : 'label');
          const { width, height } = (whole ?? each).getBoundingClientRect();
          const size = Math.round(Math.min(width, height) * 10) / 10;
          return { size, target: each.outerHTML.slice(0, 160) };
        })
        .filter(({ size }) => size > 1)
        .toSorted((one, other) => one.size - other.size)
        .slice(0, 20)
    );
  });
}
