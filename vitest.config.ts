import { defineConfig } from "vitest/config"

/** unit: beside the source, no processes. contract, integration, chaos, e2e: real processes, files and browsers. */
const project = (name: string, include: string[], extra: object = {}) => ({ test: { name, include, ...extra } })

export default defineConfig({
  test: {
    projects: [
      project("unit", ["{lib,components,worker,cli}/**/*.test.{ts,tsx}"], { testTimeout: 20_000 }),
      project("integration", ["test/{contract,integration}/**/*.test.ts"], {
        testTimeout: 60_000,
        hookTimeout: 60_000,
      }),
      project("chaos", ["test/chaos/**/*.test.ts"], {
        testTimeout: 180_000,
        hookTimeout: 60_000,
        fileParallelism: false,
      }),
      project("e2e", ["test/e2e/**/*.test.ts"], { testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false }),
    ],
  },
})
