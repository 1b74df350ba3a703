import { availableParallelism } from "node:os"
import { join } from "node:path"
import { defineConfig } from "vitest/config"

/** A shared CI machine can pause for longer than a lease. A test that fails twice is a failure. */
const retry = process.env.CI === "true" ? 1 : 0

const project = (name: string, include: string[], options: object = {}) => ({
  // Files share their processes and modules, which saves up to a third of the processor time. Tests undo what they change.
  test: { name, include, retry, isolate: false, ...options },
})

export const unitProject = project("unit", ["{lib,components,worker,cli}/**/*.test.{ts,tsx}"], {
  // They run at low priority beside the other suites.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  globalSetup: ["scripts/build-kernels.mjs", "scripts/bundle-test-programs.mjs"],
})

/** During `npm test`, child programs of the other suites are the built ones. */
const builtPrograms =
  process.env.EARMARK_TEST_BUILT === "1" ? { env: { EARMARK_TEST_PROGRAMS: join(import.meta.dirname, "dist") } } : {}

/** Vitest requires projects with different numbers of workers to be in different groups. */
const parallel = (maxWorkers: number, groupOrder: number) => ({ maxWorkers, sequence: { groupOrder } })

/** More than processors, because these tests wait most of the time, for servers and limits. */
const INTEGRATION_WORKERS = 5

/**
 * `unit` tests are next to the source and start no services. The other projects start real processes and browsers.
 * `npm test` runs `integration`, `chaos` and `e2e` side by side. `chaos` and `e2e` have one worker each and a higher priority,
 * because they check times and frames that a busy machine delays.
 */
export default defineConfig({
  test: {
    // Many test files wait most of the time, but each worker loads the modules anew.
    maxWorkers: availableParallelism() + 1,
    // The suites share what is transformed.
    experimental: { fsModuleCache: true },
    projects: [
      unitProject,
      project("integration", ["test/{contract,integration}/**/*.test.ts"], {
        testTimeout: 120_000,
        // RabbitMQ takes more than a minute to start while the other suites start their servers.
        hookTimeout: 180_000,
        globalSetup: "test/fixtures/shared-servers.ts",
        ...builtPrograms,
        ...parallel(INTEGRATION_WORKERS, 0),
      }),
      project("chaos", ["test/chaos/**/*.test.ts"], {
        testTimeout: 180_000,
        hookTimeout: 180_000,
        ...builtPrograms,
        ...parallel(1, 1),
      }),
      // Real model servers, only in `npm run test:servers`.
      project("servers", ["test/servers/**/*.test.ts"], {
        testTimeout: 300_000,
        hookTimeout: 300_000,
        ...parallel(1, 3),
      }),
      project("e2e", ["test/e2e/**/*.test.ts"], { testTimeout: 120_000, hookTimeout: 120_000, ...parallel(1, 2) }),
    ],
  },
})
