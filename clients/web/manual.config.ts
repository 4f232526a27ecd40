// Measurements and screenshots for manual runs. Measurements take minutes and need an idle
// machine.

import { defineConfig } from '@playwright/test';
import base from './playwright.config';

export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: ['manual/*.ts', 'tests/*.spec.ts'],
  reporter: [['list'], ['./manual/figures.ts']],
  workers: 1,
  timeout: 2 * 3_600_000,
  use: { ...base.use, actionTimeout: 60_000 },
});
