// Plays a game of Diplomacy with only the keyboard: the tree, the offers, typed lines, dialogs.

import { expect, test } from './support/fixtures';

test('a game of Diplomacy without a mouse', async ({ page, place }) => {
  const ann = await place.newcomer();
  const { keyboard } = page;
  await page.goto(`${place.proxy.url}/sign-in`);
  const tabTo = async (name: RegExp | string, role?: string) => {
    for (let tries = 0; tries < 400; tries += 1) {
      const focused = await page.evaluate(() => {
        const element = document.activeElement as
          | (HTMLElement & { labels?: NodeListOf<HTMLElement> })
          | null;
        return {
          role: element?.getAttribute('role') ?? element?.localName ?? '',
          names: [
            element?.getAttribute('aria-label'),
            element?.labels?.[0]?.textContent,
            element?.textContent,
          ].map((each) => each?.trim() ?? ''),
        };
      });
      const isNamed = focused.names.some((each) =>
        typeof name === 'string' ? each === name : name.test(each),
      );
      if (isNamed && (role === undefined || focused.role === role)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}`);
  };
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await tabTo('Token');
  await keyboard.type(ann.token);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Games', level: 1 }).waitFor();
  await tabTo('New game');
  await keyboard.press('Enter');
  await page.getByRole('radio', { name: /^Diplomacy/ }).waitFor();
  await tabTo(/Starships at Large/, 'input');
  await page.keyboard.press('Space');
  while (!(await page.getByRole('radio', { name: /^Diplomacy/ }).isChecked()))
    await keyboard.press('ArrowDown');
  await tabTo('Rules');
  await keyboard.press('Enter');
  await tabTo('Last year');
  await keyboard.type('1901');
  await tabTo('Create the game');
  await keyboard.press('Enter');
  await expect(page.locator('.prompt')).toContainText('Spring 1901');

  // In the tree: the first place with a piece, and one of its offers.
  await tabTo('Show places and pieces as a tree');
  await keyboard.press('Enter');
  await page.getByRole('tree').waitFor();
  await tabTo(/./, 'treeitem');
  const piece = page.locator('.tree li.able').first();
  await expect(piece).toBeVisible();
  const title = await piece.textContent();
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await page.evaluate(() => document.activeElement?.textContent)) === title) break;
    await keyboard.press('ArrowDown');
    await expect(page.locator('[role=treeitem][tabindex="0"]')).toBeFocused();
  }
  await keyboard.press('Enter');
  await expect(page.locator('.chosen-bar')).toBeVisible();
  await tabTo('Hold', 'button');
  await keyboard.press('Enter');
  await expect(page.locator('.standing li')).toHaveCount(1);

  for (let phase = 0; phase < 6 && !(await page.locator('section.end').isVisible()); phase += 1) {
    await tabTo('I am ready', 'button');
    const before = await page.locator('.orders').getAttribute('data-question');
    await keyboard.press('Enter');
    const dialog = page.locator('dialog.confirm');
    const next = page.locator(
      `.orders[data-question]:not([data-question="${before}"]):not(.stale), section.end`,
    );
    await dialog.or(next).first().waitFor();
    if (await dialog.isVisible()) {
      await tabTo('Continue anyway', 'button');
      await keyboard.press('Enter');
    }
    await next.first().waitFor({ timeout: 60_000 });
  }
  await expect(page.locator('section.end')).toBeVisible();
  await page.locator('body').press(',');
  await expect(page).toHaveURL(/\/phase\/\d+$/);
  await keyboard.press('n');
  await expect(page).not.toHaveURL(/\/phase\//);
});
