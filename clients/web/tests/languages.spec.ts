// The page in German: a first turn, and no English text of the page on the main screens.

import type { Page } from '@playwright/test';
import { compile, messageFiles } from '../fluent';
import type { Pattern } from '../src/words/messages';
import { expect, openFor, test } from './support/fixtures';
import { solo } from './support/people';

const english = compile(messageFiles('en'));
const german = compile(messageFiles('de'));

/** Texts with fewer letters of their own fit too much. */
const LETTERS_MIN = 4;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns the texts of a message as regular expressions, one for each choice. */
function expressionsOf(pattern: Pattern): string[] {
  if (typeof pattern === 'string') return [escaped(pattern)];
  return pattern.reduce<string[]>(
    (before, part) => {
      if (typeof part === 'string') return before.map((text) => text + escaped(part));
      const [, texts, other] = part;
      const ways = texts ? [...Object.values(texts), other ?? ''].flatMap(expressionsOf) : ['.+'];
      return before.flatMap((text) => ways.map((way) => text + way));
    },
    [''],
  );
}

const lettersIn = (text: string) => text.replace(/[^a-z]/g, '').length;
const textsIn = (messages: ReadonlyMap<string, Pattern>) =>
  [...messages.values()].flatMap(expressionsOf).map((text) => text.toLowerCase());
const germanTexts = new Set(textsIn(german));
const onlyEnglish = textsIn(english).filter(
  (text) => lettersIn(text) >= LETTERS_MIN && !germanTexts.has(text),
);
const isEnglish = new RegExp(`^(?:${onlyEnglish.join('|')})$`, 'i');

/** Returns the texts on the page, without those of the engine and of players. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const foreign = '[lang="en"], bdi, option, code, svg, .offers, [hidden]';
    const isOwn = (element: Element | null) =>
      element?.checkVisibility() === true && !element.closest(foreign);
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (isOwn(parentElement)) texts.push(textContent ?? '');
    }
    for (const element of document.body.querySelectorAll('[title],[aria-label],[placeholder]')) {
      for (const name of ['title', 'aria-label', 'placeholder']) {
        if (isOwn(element)) texts.push(element.getAttribute(name) ?? '');
      }
    }
    return texts.map((text) => text.trim().replace(/\s+/g, ' ')).filter((text) => text !== '');
  });
}

async function expectGerman(page: Page, shown: string): Promise<void> {
  await expect(page.getByText(shown).first()).toBeVisible();
  const texts = await textsOf(page);
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.filter((text) => isEnglish.test(text))).toEqual([]);
}

test.describe('a browser in German', () => {
  test.use({ locale: 'de-AT' });

  test('shows the main screens and a first turn in German', async ({ page, place }) => {
    const ann = await place.newcomer();
    const game = await solo(ann, 'diplomacy', 6);
    await page.goto(`${place.proxy.url}/sign-in`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expectGerman(page, 'Neu hier?');
    await page.getByLabel('Zugangsschlüssel', { exact: true }).fill(ann.token);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await expectGerman(page, 'Du bist am Zug');
    for (const [tab, shown] of [
      ['Offene Partien', 'Nach Namen suchen'],
      ['Zuschauen', 'Läuft'],
      ['Beendet', 'Beendet'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      if (tab === 'Offene Partien') await expect(page.getByPlaceholder(shown)).toBeVisible();
      else await expectGerman(page, shown);
    }
    for (const [path, shown] of [
      ['/learn', 'Spielen lernen'],
      ['/learn/diplomacy', 'Einführung starten'],
      ['/join', 'Einladungscode'],
      ['/account', 'Sitzungen und Zugangsschlüssel'],
      [`/player/${encodeURIComponent(ann.name)}`, 'dabei seit'],
      ['/ratings', 'Nur gewertete Partien zählen.'],
      ['/desk', 'Szenariodatei'],
      ['/rules/diplomacy', 'Regeln nach Nummer'],
      ['/nowhere', 'Seite nicht gefunden'],
    ] as const) {
      await page.goto(`${place.proxy.url}${path}`);
      await expectGerman(page, shown);
    }
    await page.goto(`${place.proxy.url}/new`);
    await page.getByRole('radio', { name: 'Diplomacy' }).check();
    await page.getByText('Tempo', { exact: true }).click();
    await page.getByText('Spieler und Sichtbarkeit').click();
    await expectGerman(page, 'Partie anlegen');

    await page.goto(`${place.proxy.url}/game/${game}`);
    await expectGerman(page, 'Was kann ich jetzt tun?');
    await page.locator('.offer-button').first().click();
    await expect(page.locator('.offer-form, .standing')).not.toHaveCount(0);
    await expectGerman(page, 'Ich bin fertig');
    await page.getByRole('button', { name: 'Ich bin fertig' }).click();
    const anyway = page.getByRole('button', { name: 'Trotzdem weiter' });
    const later = page.getByText('Zurück zum Jetzt');
    await expect(async () => {
      if (await anyway.isVisible()) {
        await expectGerman(page, 'Bevor du weitermachst');
        await anyway.click();
      }
      await page.getByRole('button', { name: 'Vorige Phase' }).click({ timeout: 2_000 });
      await expect(later.first()).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expectGerman(page, 'Zurück zum Jetzt');
    await later.first().click();
    for (const [tab, shown] of [
      ['Neues', 'Neues'],
      ['Nachrichten', 'Noch keine Nachrichten'],
      ['Tisch', 'Abstimmung vorschlagen'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      if (tab === 'Tisch') await expect(page.getByRole('form', { name: shown })).toBeVisible();
      else await expectGerman(page, shown);
    }
    await page.getByText('Über diese Partie').click();
    await expectGerman(page, 'Begonnen');
    await expect(page.locator('dt', { hasText: 'Begonnen' }).locator('+ dd')).toHaveText(
      /^\d{1,2}\.\d{1,2}\.\d{4}, \d{2}:\d{2}$/,
    );
    await page.getByRole('button', { name: 'Legende' }).click();
    await page.getByRole('button', { name: 'Orte und Einheiten als Baum zeigen' }).click();
    await expectGerman(page, 'Legende');
    await page.goto(`${place.proxy.url}/game/${game}/report`);
    await expectGerman(page, 'Zum Tisch');
  });
});

test('the language is a setting that shows at once and stays', async ({ page, place }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/account');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  const catalogs = () => requests.filter((path) => /^\/assets\/de-/.test(path));
  expect(catalogs()).toEqual([]);
  await page.getByLabel('Language').selectOption('Deutsch');
  await expect(page.getByRole('heading', { name: 'Dieses Gerät' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  expect(catalogs()).toHaveLength(1);
  await expectGerman(page, 'Sitzungen und Zugangsschlüssel');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Dieses Gerät' })).toBeVisible();
  await page.getByLabel('Sprache').selectOption('English');
  await expect(page.getByRole('heading', { name: 'This device' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

test('without its file, a language is replaced by English', async ({ page, place }) => {
  await page.route('**/assets/de-*', (route) => route.abort());
  await page.addInitScript(() => localStorage.setItem('language', '"de"'));
  await page.goto(`${place.proxy.url}/sign-in`);
  await expect(page.getByRole('heading', { name: 'New here?' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});
