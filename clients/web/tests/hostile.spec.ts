// Hostile names and texts are shown as text everywhere on the page.

import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { DrawMapResponseSchema, GetReportResponseSchema } from '@heliopause/client/contract';
import type { Page } from '@playwright/test';
import { expect, openFor, type Place, test } from './support/fixtures';
import { withHostileTexts } from './support/hostile-texts';
import { duel, person, solo } from './support/people';
import { EngineProxy } from './support/proxy';
import { RandomClicker } from './support/random-clicker';

const IMG = '<img src=x onerror="window.hit=1">';
const SCRIPT = '<script>window.hit=1</script>';

test('messages with markup, other scripts and 4,000 characters are shown as text', async ({
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
  await page.getByRole('tab', { name: /Messages/ }).click();
  await page.locator('.thread').nth(1).click();
  for (const text of texts.slice(0, 4)) await expect(page.locator('.bubbles')).toContainText(text);
  // A long word is broken, so the page is no wider than its window.
  await page.setViewportSize({ width: 360, height: 740 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
  await page.getByRole('tab', { name: 'News' }).click();
  await expect(page.locator('.news')).toContainText('onerror');
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  expect(await page.locator('img, iframe, script[src^="http"]').count()).toBe(0);
});

test('map images and reports are sanitized', async ({ page, place, open, faults }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'star-empires', 1, { name: 'O’Neil-X. & Zoë' });
  // The proxy replaces the report and its map image with hostile markup.
  const harm = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><script>window.hit=1</script>
    <style>*{display:none}</style><image href="http://evil.example/x"/><a href="javascript:window.hit=1"><text>go</text></a>
    <foreignObject><iframe srcdoc="&lt;script&gt;parent.hit=1&lt;/script&gt;"></iframe></foreignObject>
    <g data-place="Vie" onclick="window.hit=1" onload="window.hit=1"><title>Vienna ${IMG.replaceAll('<', '&lt;')}</title><rect width="50" height="50" style="background:url(http://evil.example)"/></g></svg>`;
  const proxy = await EngineProxy.start(() => place.engine.port);
  proxy.twist = (path, bytes) => {
    if (path.endsWith('/DrawMap')) {
      const drawn = fromBinary(DrawMapResponseSchema, bytes);
      return toBinary(DrawMapResponseSchema, { ...drawn, map: harm });
    }
    if (path.endsWith('/GetReport')) {
      const found = fromBinary(GetReportResponseSchema, bytes);
      const report = `<section><p>Read this</p><figure></figure>${harm}${IMG}</section>`;
      return toBinary(GetReportResponseSchema, { ...found, report });
    }
    return bytes;
  };
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await open(page, { ...place, proxy }, ann);
  // The report's own map image is dark, so the page draws another one.
  await page.getByLabel('Theme').selectOption('light');
  await page.goto(`${proxy.url}/game/${id}/report`);
  const report = page.locator('.report-page');
  await expect(report.locator('figure [data-place="Vie"]')).toBeAttached();
  await expect(report.locator('[data-place="Vie"]')).toHaveCount(2);
  const shown = await report.evaluate((host) => host.shadowRoot?.innerHTML ?? '');
  for (const word of [
    '<script',
    '<style',
    'evil.example',
    'javascript:',
    'onclick',
    'onload',
    'onerror="',
    'iframe',
    'foreignObject',
  ]) {
    expect(shown.replaceAll('&lt;img src=x onerror="', '')).not.toContain(word);
  }
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  expect(requests.filter((url) => url.includes('evil'))).toEqual([]);
  // The browser may report blocked handlers while parsing, before the sanitizer removes them.
  faults.list = faults.list.filter((text) => !text.startsWith('Executing inline event handler'));
  await proxy.stop();
});

/** The end of all text from the engine: markup, and a character that reverses the line. */
const TAIL = `${IMG}${SCRIPT}\u202E`;
/** Text in place of names and headlines, longer than any field allows. */
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

/** Checks that hostile text is shown as text, fits into the window, and reverses no line. */
async function harmless(page: Page, screen: string): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect
      .soft(wide, `${screen} is ${wide} px wide in a window of ${width} px`)
      .toBeLessThanOrEqual(width);
  }
  const found = await page.evaluate(() => {
    // Collects the page's own text that shares a line with text that reverses it.
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
      // Text on its own line and hostile text itself are not affected.
      for (const each of rest.querySelectorAll('button, bdi, ul, ol, p, div, .chip, .button, time'))
        each.remove();
      if ((rest.textContent ?? '').trim() !== '')
        turned.add(`${holder?.outerHTML.replace(/w{9,}/g, 'w…').slice(0, 300)}`);
    }
    return {
      hostile,
      turned: [...turned],
      hit: (window as { hit?: number }).hit,
      // Pictures of kinds are files of the page, and boards are images that it draws.
      foreign: document.querySelectorAll(
        'img:not(.kind-image[src^="/kinds/"], .thumbnail[src^="blob:"]), iframe, object, embed, script:not([src])',
      ).length,
    };
  });
  expect.soft(found.hit, screen).toBeUndefined();
  expect.soft(found.foreign, screen).toBe(0);
  expect.soft(found.turned, screen).toEqual([]);
  expect.soft(found.hostile, screen).toBeGreaterThan(0);
}

test('an engine with only hostile texts does no harm on any screen', async ({
  page,
  place,
  elsewhere: theirs,
}) => {
  const ann = await place.newcomer();
  const proxy = await EngineProxy.start(() => place.engine.port);
  const over = await solo(ann, 'starships-at-large', 1, { options: { rounds: 2 } });
  const lied = { ...place, proxy };
  await openFor(page, place, ann, `/game/${over}`);
  await new RandomClicker(page, 11).play();
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
  proxy.twist = withHostileTexts((text, field) => text + (LENGTHY.has(field) ? LONG : TAIL));
  await openFor(page, lied, ann);
  for (const tab of ['Open games', 'Watch', 'Finished', 'My games']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.locator('.game').first()).toBeVisible();
    await harmless(page, tab);
  }
  for (const path of ['/new', '/account', `/game/${over}`, `/game/${over}/report`]) {
    await page.goto(`${proxy.url}${path}`);
    await expect(page.locator('main')).toContainText('onerror');
    for (const summary of await page.locator('details > summary').all()) await summary.click();
    await harmless(page, path);
  }
  await page.goto(`${proxy.url}/game/${over}/proof`);
  await page.getByRole('button', { name: 'Download and verify' }).click();
  await expect(page.locator('.steps')).toBeVisible();
  await page.goto(`${proxy.url}/game/${id}`);
  await expect(page.locator('.offer-button').first()).toBeVisible();
  await page.getByRole('button', { name: 'Show places and pieces as a tree' }).click();
  await harmless(page, 'table');
  await page.getByRole('combobox', { name: 'Order 1' }).fill('A Vie S A Bud');
  await expect(page.locator('.warnings.soft')).toContainText('onerror');
  await harmless(page, 'verdicts and warnings');
  await page.getByRole('button', { name: 'I am ready' }).click();
  await expect(page.locator('dialog.confirm')).toContainText('onerror');
  await harmless(page, 'warnings before the end');
  await page.keyboard.press('Escape');
  for (const tab of ['News', 'Messages', 'Table']) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    for (const summary of await page.locator('.side details > summary').all())
      await summary.click();
    await harmless(page, tab);
  }
  await page.getByRole('tab', { name: /^Messages/ }).click();
  await page.locator('.thread', { hasText: 'Well?' }).first().click();
  await harmless(page, 'a thread');
  await page.goto(`${proxy.url}/game/${id}/phase/0`);
  await expect(page.locator('.timeline-title')).toContainText('The setup');
  await harmless(page, 'the past');
  const operator = person(place.engine.url, 'admin', place.engine.token('admin'));
  await openFor(theirs, lied as Place, operator, '/operator');
  for (const tab of ['Games', 'Players', 'Automation']) {
    await theirs.getByRole('tab', { name: tab }).click();
    await expect(theirs.locator('.data tbody tr').first()).toBeVisible();
    await harmless(theirs, tab);
  }
  await proxy.stop();
});
