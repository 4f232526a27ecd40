// Names and texts that would be more than text, wherever the page shows them.

import type { Page } from '@playwright/test';
import { Clicker } from './support/clicker';
import { expect, openFor, type Place, test } from './support/fixtures';
import { Front } from './support/front';
import { lying } from './support/liar';
import { duel, person, solo } from './support/people';

const IMG = '<img src=x onerror="window.hit=1">';
const SCRIPT = '<script>window.hit=1</script>';

test('letters that hold markup, other scripts and 4,000 characters are text', async ({
  page,
  place,
}) => {
  const ann = await place.newcomer();
  const bob = await place.newcomer();
  const gameId = await duel(ann, bob, 'diplomacy', 'Hostile');
  const texts = [IMG, SCRIPT, 'שלום — مرحبا', '"><svg onload=window.hit=1>', 'x'.repeat(4000)];
  for (const text of texts) {
    await bob.games.sendMessage({ gameId, toAll: true, text, requestId: crypto.randomUUID() });
  }
  await openFor(page, place, ann, `/game/${gameId}`);
  await page.getByRole('tab', { name: /Letters/ }).click();
  await page.locator('.thread').first().click();
  for (const text of texts.slice(0, 4)) await expect(page.locator('.bubbles')).toContainText(text);
  // A long word breaks: nothing makes the page wider than its window.
  await page.setViewportSize({ width: 360, height: 740 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
  await page.getByRole('tab', { name: 'News' }).click();
  await expect(page.locator('.news')).toContainText('onerror');
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  expect(await page.locator('img, iframe, script[src^="http"]').count()).toBe(0);
});

test('what the engine sends is drawn without what could do harm', async ({
  page,
  place,
  open,
  faults,
}) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'it-came-from-outer-space', 1, {
    name: 'O’Neil-X. & Zoë',
    options: { names: ["O'Neil-X.", 'Zoë'] },
  });
  // The engine is made to lie: markup of all kinds stands in its picture and its report.
  const harm = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><script>window.hit=1</script>
    <style>*{display:none}</style><image href="http://evil.example/x"/><a href="javascript:window.hit=1"><text>go</text></a>
    <foreignObject><iframe srcdoc="&lt;script&gt;parent.hit=1&lt;/script&gt;"></iframe></foreignObject>
    <g data-place="Vie" onclick="window.hit=1" onload="window.hit=1"><title>Vienna ${IMG.replaceAll('<', '&lt;')}</title><rect width="50" height="50" style="background:url(http://evil.example)"/></g></svg>`;
  await open(page, place, ann);
  await page.goto(`${place.front.url}/game/${id}`);
  await expect(page.locator('.stage svg')).toBeVisible();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const shown = await page.evaluate(
    async ([source]) => {
      const host = document.createElement('div');
      document.body.append(host);
      const isSanitizer = (
        each: unknown,
      ): each is (text: string) => { content: DocumentFragment } =>
        typeof each === 'function' &&
        String(each).includes('svgFilters') &&
        !String(each).includes('html');
      const find = async () => {
        for (const script of performance.getEntriesByType('resource')) {
          if (!/assets\/.*\.js$/.test(script.name)) continue;
          const module = (await import(script.name)) as Record<string, unknown>;
          const found = Object.values(module).find(isSanitizer);
          if (found) return found;
        }
        return undefined;
      };
      const clean = await find();
      if (!clean) return 'no sanitizer';
      const root = host.attachShadow({ mode: 'open' });
      root.append(clean(source ?? '').content);
      return root.innerHTML;
    },
    [harm],
  );
  expect(shown).toContain('data-place="Vie"');
  for (const word of [
    '<script',
    '<style',
    'evil.example',
    'javascript:',
    'onclick',
    'onload',
    'iframe',
    'foreignObject',
  ]) {
    expect(shown).not.toContain(word);
  }
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  expect(requests.filter((url) => url.includes('evil'))).toEqual([]);
  // The browser may tell that it blocked the handlers, as soon as they are read and before they are
  // taken away.
  faults.list = faults.list.filter((text) => !text.startsWith('Executing inline event handler'));
});

/** What every text of the engine ends with: markup, and what turns the line around. */
const TAIL = `${IMG}${SCRIPT}\u202E`;
/** Texts that people wrote or that stand in a headline are as long as no field allows. */
const LONG = `${TAIL}${'w'.repeat(10_240)}`;
const LENGTHY = new Set([
  'name',
  'player',
  'progress',
  'prompt',
  'role',
  'host',
  'summary',
  'text',
]);

/** Looks at a screen: texts are texts, nothing is wider than the window, no line is turned around. */
async function harmless(page: Page, screen: string): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(wide, `${screen} is ${wide} wide at ${width}`).toBeLessThanOrEqual(width);
  }
  const found = await page.evaluate(() => {
    // The page's own words that stand in one line with a text that turns it around.
    const turned = new Set<string>();
    let hostile = 0;
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const text = node.textContent ?? '';
      if (!text.includes('\u202E')) continue;
      hostile += 1;
      let holder = node.parentElement;
      while (holder) {
        const { display, unicodeBidi } = getComputedStyle(holder);
        if (!display.startsWith('inline') || display !== 'inline' || unicodeBidi !== 'normal')
          break;
        holder = holder.parentElement;
      }
      if (holder && /^(SELECT|OPTION|TITLE)$/.test(holder.tagName)) continue;
      const after = document.createRange();
      after.setStartAfter(node);
      if (holder?.lastChild) after.setEndAfter(holder.lastChild);
      const rest = after.cloneContents();
      // What is in an element of its own line, or is hostile itself, is not turned.
      for (const each of rest.querySelectorAll('button, bdi, ul, ol, p, div, .chip, .button, time'))
        each.remove();
      if ((rest.textContent ?? '').trim() !== '')
        turned.add(`${holder?.outerHTML.replace(/w{9,}/g, 'w…').slice(0, 300)}`);
    }
    return {
      hostile,
      turned: [...turned],
      hit: (window as { hit?: number }).hit,
      foreign: document.querySelectorAll('img, iframe, object, embed, script:not([src])').length,
    };
  });
  expect.soft(found.hit, screen).toBeUndefined();
  expect.soft(found.foreign, screen).toBe(0);
  expect.soft(found.turned, screen).toEqual([]);
  expect.soft(found.hostile, screen).toBeGreaterThan(0);
}

test('an engine whose every word is hostile does no harm on any screen', async ({
  page,
  place,
  elsewhere: theirs,
}) => {
  const ann = await place.newcomer();
  const front = await Front.start(() => place.engine.port);
  const over = await solo(ann, 'starships-at-large', 1, { options: { rounds: 2 } });
  const lied = { ...place, front };
  await openFor(page, place, ann, `/game/${over}`);
  await new Clicker(page, 11).play();
  const id = await solo(ann, 'diplomacy', 6, { name: 'Lied about' });
  await ann.games.sendMessage({
    gameId: id,
    toSeats: [2],
    text: 'Well?',
    requestId: crypto.randomUUID(),
  });
  await ann.games.createGame({
    seatsInOrder: true,
    kind: 'star-empires',
    name: 'Forming',
    seats: [{ plan: { case: 'open', value: {} } }, { plan: { case: 'open', value: {} } }],
    requestId: crypto.randomUUID(),
  });
  front.twist = lying((text, field) => text + (LENGTHY.has(field) ? LONG : TAIL));
  await openFor(page, lied, ann);
  for (const tab of ['Open games', 'Watch', 'Finished', 'My games']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.locator('.game').first()).toBeVisible();
    await harmless(page, tab);
  }
  for (const path of ['/new', '/account', `/game/${over}`, `/game/${over}/report`]) {
    await page.goto(`${front.url}${path}`);
    await expect(page.locator('main')).toContainText('onerror');
    for (const summary of await page.locator('details > summary').all()) await summary.click();
    await harmless(page, path);
  }
  await page.goto(`${front.url}/game/${over}/proof`);
  await page.getByRole('button', { name: 'Fetch the journal' }).click();
  await expect(page.locator('.steps')).toBeVisible();
  await page.goto(`${front.url}/game/${id}`);
  await expect(page.locator('.offer-button').first()).toBeVisible();
  await page.getByRole('button', { name: 'Places and pieces as a tree' }).click();
  await harmless(page, 'table');
  await page.getByRole('combobox', { name: 'Order 1' }).fill('A Vie S A Bud');
  await expect(page.locator('.warnings.soft')).toContainText('onerror');
  await harmless(page, 'verdicts and warnings');
  await page.getByRole('button', { name: 'I am ready' }).click();
  await expect(page.locator('dialog.confirm')).toContainText('onerror');
  await harmless(page, 'warnings before the end');
  await page.keyboard.press('Escape');
  for (const tab of ['News', 'Letters', 'Table']) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    for (const summary of await page.locator('.side details > summary').all())
      await summary.click();
    await harmless(page, tab);
  }
  await page.getByRole('tab', { name: /^Letters/ }).click();
  await page.locator('.thread', { hasText: 'Well?' }).first().click();
  await harmless(page, 'a thread');
  await page.goto(`${front.url}/game/${id}/phase/0`);
  await expect(page.locator('.timeline-title')).toContainText('The set-up');
  await harmless(page, 'the past');
  const operator = person(place.engine.url, 'admin', place.engine.token('admin'));
  await openFor(theirs, lied as Place, operator, '/operator');
  for (const tab of ['Games', 'Players', 'Automation']) {
    await theirs.getByRole('tab', { name: tab }).click();
    await expect(theirs.locator('.data tbody tr').first()).toBeVisible();
    await harmless(theirs, tab);
  }
  await front.stop();
});
