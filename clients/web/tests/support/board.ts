// Clicks on the board.

import type { Page } from '@playwright/test';

/** Clicks a place or piece of the map image by its name in the SVG. */
export async function clickOn(page: Page, mark: string): Promise<void> {
  const { left, top } = await spotOf(page, mark);
  await page.mouse.click(left, top);
}

interface Spot {
  left: number;
  top: number;
}

/** Returns a position in the page where a place or piece can be clicked. */
export async function spotOf(page: Page, mark: string): Promise<Spot> {
  return atRest(page, () => find(page, mark));
}

/** Waits until a position stays. A board that has just opened moves when panels appear beside it. */
export async function atRest(page: Page, find: () => Promise<Spot>): Promise<Spot> {
  let spot = await find();
  for (;;) {
    await page.waitForTimeout(100);
    const again = await find();
    if (again.left === spot.left && again.top === spot.top) return spot;
    spot = again;
  }
}

async function find(page: Page, mark: string): Promise<Spot> {
  const at = await page.locator('.stage').evaluate((stage, wanted) => {
    const root = stage.shadowRoot;
    for (const element of root?.querySelectorAll(wanted) ?? []) {
      const box = element.getBoundingClientRect();
      const steps = [0.5, 0.35, 0.65, 0.2, 0.8];
      for (const x of steps) {
        for (const y of steps) {
          const [left, top] = [box.x + box.width * x, box.y + box.height * y];
          const hit = root?.elementFromPoint(left, top);
          const named = hit?.closest('[data-piece], [data-group], [data-place]');
          if (named === element) return { left, top };
        }
      }
    }
    return undefined;
  }, mark);
  if (!at) throw new Error(`no part of ${mark} can be clicked`);
  return at;
}

export const unit = (name: string) => `[data-piece="${name}"]`;
export const land = (name: string) => `[data-place="${name}"]:not([data-piece])`;
