// Measurements of the page, which take minutes and a quiet machine: npm run measure.

import { defineConfig } from '@playwright/test';
import usual from './playwright.config';

export default defineConfig({
  ...usual,
  testDir: 'measures',
  testMatch: '*.measure.ts',
  workers: 1,
  timeout: 2 * 3_600_000,
});
