// A reporter that prints the figures of all tests as one table.

import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { type Figure, folded } from '../tests/support/figures';

export default class Figures implements Reporter {
  private readonly figures: Figure[] = [];

  onTestEnd(_: TestCase, { annotations }: TestResult): void {
    for (const { type, description } of annotations) {
      if (type === 'figure' && description) this.figures.push(JSON.parse(description) as Figure);
    }
  }

  onEnd(): void {
    if (this.figures.length === 0) return;
    console.log('\n| measurement | figure | limit |\n| --- | ---: | ---: |');
    for (const { name, value, unit = '', limit = '' } of folded(this.figures)) {
      const text = typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;
      console.log(`| ${name} | ${text}${unit === '' ? '' : ` ${unit}`} | ${limit} |`);
    }
  }
}
