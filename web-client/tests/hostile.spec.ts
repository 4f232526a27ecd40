// Names and texts that would be more than text, wherever the page shows them.

import { expect, openFor, test, watch } from './support/fixtures';
import { solo } from './support/people';

const IMG = '<img src=x onerror="window.hit=1">';
const SCRIPT = '<script>window.hit=1</script>';

test('letters that hold markup, other scripts and 4,000 characters are text', async ({
  browser,
  page,
  place,
  faults,
}) => {
  const ann = await place.newcomer();
  const bob = await place.newcomer();
  const { game } = await ann.games.createGame({
    kind: 'diplomacy',
    name: 'Hostile',
    seats: [
      { plan: { case: 'open', value: {} } },
      { plan: { case: 'reservedFor', value: bob.name } },
    ],
    startWhenFull: true,
    requestId: crypto.randomUUID(),
  });
  const gameId = game?.gameId ?? '';
  await bob.games.joinGame({ gameId, requestId: crypto.randomUUID() });
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
  const context = await browser.newContext();
  watch(context, faults);
  await context.close();
});

test('what the engine sends is drawn without what could do harm', async ({ page, place, open }) => {
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
      const find = async () => {
        for (const script of performance.getEntriesByType('resource')) {
          if (/assets\/clean-.*\.js$/.test(script.name))
            return (await import(script.name)) as Record<string, unknown>;
        }
        return undefined;
      };
      const module = await find();
      const clean = Object.values(module ?? {}).find(
        (each): each is (text: string) => { content: DocumentFragment } =>
          typeof each === 'function' &&
          String(each).includes('svgFilters') &&
          !String(each).includes('html'),
      );
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
});
