import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  testMatch: '*.spec.ts',
  fullyParallel: true,
  workers: Number(process.env['WEB_WORKERS'] ?? 2),
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  forbidOnly: true,
  snapshotPathTemplate: '{testDir}/screens/{arg}{ext}',
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    trace: 'off',
    // Only install.spec.ts needs them, and each test would load all files.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
