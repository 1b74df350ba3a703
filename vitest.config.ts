import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

/** unit: beside the source, no processes. contract, integration, chaos, e2e: real processes, files and browsers. */
const project = (name: string, include: string[], extra: object = {}) => ({ test: { name, include, ...extra } })

export default defineConfig({
  test: {
    // Vitest leaves a core free by itself: on two cores it would run one file at a time, most of them waiting.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      project("unit", ["{lib,components,worker,cli}/**/*.test.{ts,tsx}"], {
        testTimeout: 20_000,
        globalSetup: "scripts/build-kernels.mjs",
      }),
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
