// What a person starts: measurements, which take minutes and a quiet machine (npm run measure), and the
// picture of README (npm run picture).

import { defineConfig } from '@playwright/test';
import usual from './playwright.config';

export default defineConfig({
  ...usual,
  testDir: 'by-hand',
  testMatch: '*.ts',
  workers: 1,
  timeout: 2 * 3_600_000,
  use: { ...usual.use, actionTimeout: 60_000 },
});
