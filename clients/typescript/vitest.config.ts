import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.{js,ts}'],
    // Games with real engines are slow on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    minWorkers: 1,
  },
});
