// Tutorials, rulebooks, terms, and the explanations for beginners.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { Engine } from './support/engine';
import { expect, test } from './support/fixtures';
import { register, solo } from './support/people';
import { EngineProxy } from './support/proxy';

const KINDS = [
  'alone-in-outer-space',
  'diplomacy',
  'fate-of-empire',
  'it-came-from-outer-space',
  'star-empires',
  'starships-at-large',
  'stellar-conquest',
];

const coach = (page: Page) => page.getByRole('region', { name: 'Tutorial' });
const step = (page: Page, number: number, of: number) =>
  coach(page).getByRole('heading', { name: `Step ${number} of ${of}` });

async function begin(page: Page, kind: string): Promise<void> {
  await page.goto(new URL(`/learn/${kind}`, page.url()).href);
  await page.getByRole('button', { name: 'Start the tutorial' }).click();
  await expect(coach(page)).toBeVisible();
}

for (const kind of KINDS) {
  test(`the tutorial of ${kind} can be shown to its end`, async ({ page, place, open }) => {
    await open(page, place, await place.newcomer());
    await begin(page, kind);
    const [, of = '0'] = /of (\d+)/.exec((await coach(page).textContent()) ?? '') ?? [];
    for (let number = 1; number <= Number(of); number += 1) {
      await expect(step(page, number, Number(of))).toBeVisible();
      await coach(page).getByRole('button', { name: 'Show me' }).click();
    }
    await expect(coach(page)).toContainText('That completes the tutorial');
    await page.goto(new URL(`/learn/${kind}`, page.url()).href);
    await expect(page.getByRole('button', { name: 'Play it again' })).toBeVisible();
  });
}

test('a tutorial is played to its end by clicks', async ({ page, place, open }) => {
  await open(page, place, await place.newcomer());
  await page.getByRole('link', { name: 'Learn', exact: true }).click();
  await page.getByRole('link', { name: 'Tutorial of Starships at Large' }).click();
  await page.getByRole('button', { name: 'Start the tutorial' }).click();
  const first = page.getByRole('combobox', { name: 'Order 1' });
  const press = (offer: string) => page.locator(`[data-offer="${offer}"]`).first().click();
  const submit = async (value: string) => {
    const form = page.getByRole('form', { name: 'Fill in the order' });
    if (value !== '') await form.getByRole('combobox').selectOption(value);
    await form.getByRole('button', { name: 'Submit this order' }).click();
  };
  await expect(step(page, 1, 10)).toBeVisible();
  // A wrong order changes nothing, and the coach tells what is expected.
  await first.fill('move A1 to (0,1)');
  await first.press('Enter');
  await expect(coach(page)).toContainText('not what the tutorial expects');
  await expect(page.getByRole('alert')).toContainText('move A1 to (1,0)');
  // Another spelling of the expected order is accepted.
  await first.fill('MOVE a1 TO (1, 0)');
  await first.press('Enter');
  await expect(step(page, 2, 10)).toBeVisible();
  await press('colonize');
  await expect(step(page, 3, 10)).toBeVisible();
  // Progress is kept in the browser.
  await page.reload();
  await expect(step(page, 3, 10)).toBeVisible();
  await page.locator('[data-end]').click();
  await expect(step(page, 4, 10)).toBeVisible();
  await press('build');
  await submit('');
  await expect(step(page, 5, 10)).toBeVisible();
  await press('move');
  await submit('(2,0)');
  await expect(step(page, 6, 10)).toBeVisible();
  await press('diplomacy');
  await expect(step(page, 7, 10)).toBeVisible();
  await press('move');
  await submit('(0,1)');
  await expect(step(page, 8, 10)).toBeVisible();
  await press('mark');
  await submit('(0,1)');
  await expect(step(page, 9, 10)).toBeVisible();
  await page.locator('[data-end]').click();
  await expect(step(page, 10, 10)).toBeVisible();
  await coach(page).getByRole('textbox', { name: 'Order' }).fill('pledge no-attack to B until 5');
  await coach(page).getByRole('button', { name: 'Order', exact: true }).click();
  await expect(coach(page)).toContainText('That completes the tutorial');
  await coach(page).getByRole('button', { name: 'Play against the computer' }).click();
  await expect(page).toHaveURL(/\/game\//);
  await expect(page.getByText('Sandbox', { exact: true })).toHaveCount(1);
  await expect(coach(page)).toHaveCount(0);
});

test('a tutorial continues after the page closes in the middle of a step', async ({
  page,
  place,
  open,
}) => {
  await open(page, place, await place.newcomer());
  await begin(page, 'starships-at-large');
  /** Takes the step, and closes the page before it receives the answer to its `nth` orders. */
  const closeDuringStep = async (nth: number, arrives: boolean) => {
    let count = 0;
    let cut = () => {};
    const isCut = new Promise<void>((resolve) => {
      cut = resolve;
    });
    await page.route('**/SubmitOrders', async (route) => {
      count += 1;
      if (count < nth) return route.continue();
      if (arrives) await route.fetch();
      cut();
    });
    await coach(page).getByRole('button', { name: 'Show me' }).click();
    await isCut;
    await page.unroute('**/SubmitOrders');
    await page.reload();
  };
  await expect(step(page, 1, 10)).toBeVisible();
  await closeDuringStep(1, true);
  await expect(step(page, 2, 10)).toBeVisible();
  await closeDuringStep(1, false);
  await expect(step(page, 3, 10)).toBeVisible();
  // The second orders are those of the other player.
  await closeDuringStep(2, true);
  for (let number = 4; number <= 10; number += 1) {
    await expect(step(page, number, 10)).toBeVisible();
    await coach(page).getByRole('button', { name: 'Show me' }).click();
  }
  await expect(coach(page)).toContainText('That completes the tutorial');
});

test('a sheet is stored as soon as it is the expected one', async ({ page, place, open }) => {
  await open(page, place, await place.newcomer());
  await begin(page, 'star-empires');
  await expect(step(page, 1, 10)).toBeVisible();
  await page.getByRole('button', { name: 'I am ready' }).click();
  await page.getByRole('button', { name: 'Continue anyway' }).click();
  await expect(page.getByRole('alert')).toContainText('Do this instead: BUILD Ahome 1 probe Pry');
  await page.getByRole('combobox', { name: 'Order 1' }).fill('build ahome 2 probe Pry*');
  await expect(coach(page)).toContainText('not what the tutorial expects');
  await page.getByRole('combobox', { name: 'Order 1' }).fill('build ahome 1 probe Pry');
  await expect(step(page, 2, 10)).toBeVisible();
  // The next order is added from the list.
  await page.locator('[data-offer="build-one"]').first().click();
  const form = page.getByRole('form', { name: 'Fill in the order' });
  await form.getByRole('combobox').last().selectOption('gunship');
  await form.getByRole('textbox').fill('Lion');
  await form.getByRole('button', { name: 'Add to the sheet' }).click();
  await expect(step(page, 3, 10)).toBeVisible();
  await page.getByRole('button', { name: 'I am ready' }).click();
  await expect(step(page, 4, 10)).toBeVisible();
});

test('a server without a sandbox offers the rulebook instead', async ({ page, browser }) => {
  const engine = await Engine.start();
  const proxy = await EngineProxy.start(() => engine.port);
  const ann = await register(engine.url, 'Ann');
  await page.goto(`${proxy.url}/sign-in`);
  await page.getByLabel('Token', { exact: true }).fill(ann.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Games', level: 1 }).waitFor();
  await page.goto(`${proxy.url}/learn/diplomacy`);
  await expect(page.getByText('this server has none')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start the tutorial' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Rulebook' }).click();
  await expect(page.getByRole('region', { name: 'Rule D4.7' })).toContainText('D4.7');
  // Visitors can read the manual, too.
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(`${proxy.url}/rules/diplomacy`);
  await expect(guest.getByRole('heading', { name: 'Phases' })).toBeVisible();
  await guest.context().close();
  await proxy.stop();
  await engine.stop();
});

test('the rule of a refusal leads to its place in the rulebook', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  const game = await solo(ann, 'diplomacy', 6);
  await open(page, place, ann, `/game/${game}`);
  const line = page.getByRole('combobox', { name: 'Order 1' });
  await line.fill('A Mos - Par');
  const fleet = page.locator('.verdict').getByRole('link', { name: /^Rule D/ });
  await fleet.click();
  const dialog = page.getByRole('dialog');
  const number = ((await dialog.getByRole('heading').textContent()) ?? '').replace('Rule ', '');
  await dialog.getByRole('link', { name: 'Open the rulebook' }).click();
  await expect(page).toHaveURL(new RegExp(`/rules/diplomacy#${number.replaceAll('.', '\\.')}$`));
  const entry = page.getByRole('region', { name: `Rule ${number}`, exact: true });
  await expect(entry).toBeInViewport();
  await expect(entry).toHaveClass(/target/);
  // The search keeps what contains the words.
  await page.getByRole('searchbox', { name: 'Search the rulebook' }).fill('convoy');
  await expect(page.getByRole('region', { name: 'Rule D3.5', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Rule D1', exact: true })).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search the rulebook' }).fill('');
  // Chapters are headings, and lead to their rules.
  const chapter = page.getByRole('heading', { name: 'Rulings', exact: true });
  await page.getByRole('link', { name: 'Rulings', exact: true }).click();
  await expect(chapter).toBeInViewport();
  await expect(page.getByText('This game has no rule')).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
});

test('the rules are loaded by one call', async ({ page, place, open }) => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url().replace(/.*\//, '')));
  await open(page, place, await place.newcomer(), '/rules/star-empires#2.4');
  const entry = page.getByRole('region', { name: 'Rule 2.4', exact: true });
  await expect(entry.getByRole('heading', { name: 'Nebulae' })).toBeVisible();
  await expect(entry).toContainText('A nebula hides what is inside it');
  await expect(entry).toBeInViewport();
  expect(calls.filter((call) => /^(ListRules|GetRule)$/.test(call))).toEqual(['ListRules']);
  await page.goto(`${place.proxy.url}/rules/star-empires#77`);
  await expect(page.getByText('This game has no rule 77.')).toBeVisible();
});

test('a term shows its card', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  const game = await solo(ann, 'alone-in-outer-space', 1);
  await open(page, place, ann, `/game/${game}`);
  const term = page.locator('.beginner').getByRole('button', { name: 'scouts: what is this?' });
  const card = page.locator('.term-card');
  await term.hover();
  await expect(card).toContainText('unarmed explorer');
  await page.mouse.move(0, 0);
  await expect(card).toHaveCount(0);
  await term.focus();
  await page.keyboard.press('Enter');
  await expect(card).toContainText('scout (S)');
  await expect(card).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(card).toHaveCount(0);
  await term.click();
  await card.getByRole('link', { name: 'Rule 7.1' }).click();
  await expect(page.getByRole('region', { name: 'Rule 7.1', exact: true })).toBeInViewport();
});

test('the box for beginners stays dismissed', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  const game = await solo(ann, 'starships-at-large', 1);
  await open(page, place, ann, `/game/${game}`);
  const box = page.getByRole('region', { name: 'What can I do now?' });
  const end = page.locator('[data-end]');
  await expect(end.first()).toBeEnabled();
  await expect(box).toContainText(/Possible now: .*\bmove\b/);
  await box.getByRole('button', { name: 'Got it' }).click();
  await expect(box).toHaveCount(0);
  await page.reload();
  await expect(end.first()).toBeEnabled();
  await expect(page.getByRole('region', { name: 'Possible orders' })).toBeVisible();
  await expect(box).toHaveCount(0);
  // Other phases are still explained, until the player wants no more explanations.
  const europe = await solo(ann, 'diplomacy', 6);
  await page.goto(`${place.proxy.url}/game/${europe}`);
  await box.getByRole('button', { name: 'Explain no more phases' }).click();
  await page.goto(`${place.proxy.url}/game/${await solo(ann, 'star-empires', 1)}`);
  await expect(page.getByRole('region', { name: 'Possible orders' })).toBeVisible();
  await expect(box).toHaveCount(0);
});
