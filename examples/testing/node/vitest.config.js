import { defineConfig } from "vitest/config";

// Starting an engine and a bot that thinks take their time.
export default defineConfig({ test: { testTimeout: 90_000, hookTimeout: 60_000 } });
