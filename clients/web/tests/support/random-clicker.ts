// A player of any game that clicks at random until the game is over.

import type { Locator, Page } from '@playwright/test';

/** Returns a generator that produces the same random numbers in each run. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const ASKED = '.orders[data-question]:not(.stale)';

export class RandomClicker {
  readonly page: Page;
  private readonly random: () => number;
  orders = 0;
  private given = 0;
  private question = '';

  /** The probability of preferring an order that ends something. */
  private readonly haste: number;

  constructor(page: Page, seed: number, haste = 0.5) {
    this.page = page;
    this.random = randomOf(seed);
    this.haste = haste;
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  /** Plays until the game is over; fails after `stepsMax` steps. */
  async play(stepsMax = 4_000): Promise<void> {
    for (let step = 0; step < stepsMax; step += 1) {
      if (!(await this.step())) return;
    }
    throw new Error(`the game is not over after ${stepsMax} steps`);
  }

  /** Takes one action. Returns false once the game is over. */
  async step(): Promise<boolean> {
    const { page } = this;
    const end = page.locator('section.end');
    const asked = page.locator(ASKED).filter({ hasNot: page.getByText('You are ready') });
    await asked.or(end).first().waitFor({ timeout: 120_000 });
    if (await end.isVisible()) return false;
    const question =
      (await page
        .locator(ASKED)
        .getAttribute('data-question')
        .catch(() => null)) ?? '';
    const phase = question.split('.')[0] ?? '';
    if (phase !== this.question.split('.')[0]) this.given = 0;
    this.question = question;
    const ready = page.getByRole('button', { name: 'I am ready' });
    const canBeReady = await ready.isVisible();
    if (canBeReady && this.given >= 2) {
      await ready.click({ timeout: 2_000 }).catch(() => undefined);
      await this.agree();
    } else if (!(await this.order()) && canBeReady) {
      await ready.click({ timeout: 2_000 }).catch(() => undefined);
      await this.agree();
    }
    this.given += 1;
    await this.settled();
    return true;
  }

  private async order(): Promise<boolean> {
    const { page } = this;
    const buttons = page.locator('.offer-button:enabled');
    const ends = page.locator('[data-end]:enabled');
    const [count, endings] = [await buttons.count(), await ends.count()];
    if (count + endings === 0) return false;
    const wantsEnd = endings > 0 && (count === 0 || this.random() < this.haste);
    const button = wantsEnd ? ends.first() : buttons.nth(this.below(count));
    await button.click({ timeout: 2_000 }).catch(() => undefined);
    const form = page.locator('.offer-form');
    if (await form.isVisible()) {
      await this.fillIn(form);
      const give = form.locator('button[type=submit]');
      if (!(await give.isEnabled().catch(() => false))) {
        await form
          .getByRole('button', { name: 'Cancel' })
          .click({ timeout: 2_000 })
          .catch(() => undefined);
        return true;
      }
      await give.click({ timeout: 2_000 }).catch(() => undefined);
    }
    this.orders += 1;
    await this.agree();
    return true;
  }

  private async fillIn(form: Locator): Promise<void> {
    for (const select of await form.locator('select').all()) {
      const values = await select
        .locator('option')
        .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
      const real = values.filter((value) => value !== '');
      const value = real[this.below(real.length)];
      if (value !== undefined)
        await select.selectOption(value, { timeout: 2_000 }).catch(() => undefined);
    }
    for (const set of await form.locator('fieldset.several').all()) {
      const all = set.getByRole('button', { name: 'All', exact: true }).first();
      if (this.random() < 0.8 && (await all.isVisible())) {
        await all.click({ timeout: 2_000 }).catch(() => undefined);
        continue;
      }
      const more = 'input[type=checkbox]:enabled:not(:checked), .stepper button:last-child:enabled';
      const boxes = set.locator(`:is(${more}):visible`);
      const count = await boxes.count();
      if (count > 0)
        await boxes
          .nth(this.below(count))
          .click({ timeout: 2_000 })
          .catch(() => undefined);
    }
    for (const field of await form.locator('input[type=text]').all()) {
      const example = await field.getAttribute('placeholder').catch(() => null);
      await field.fill(example ?? 'Nova', { timeout: 2_000 }).catch(() => undefined);
    }
  }

  private async agree(): Promise<void> {
    const { page } = this;
    const dialog = page.locator('dialog.confirm');
    const settled = page.locator(`.orders:not(.stale), .awaited, section.end, dialog.confirm`);
    await settled.first().waitFor({ timeout: 30_000 });
    if (await dialog.isVisible()) {
      await dialog
        .locator('footer button')
        .last()
        .click({ timeout: 2_000 })
        .catch(() => undefined);
    }
  }

  /** Waits until the page shows the current state. */
  private async settled(): Promise<void> {
    await this.page
      .locator('.orders:not(.stale), .awaited, section.end, dialog.confirm')
      .first()
      .waitFor({ timeout: 60_000 });
    const dialog = this.page.locator('dialog.confirm');
    if (await dialog.isVisible()) await this.agree();
  }
}
