import { defineConfig } from "vitest/config"
import { unitProject } from "../../vitest.config.ts"

/** Reads the sources, which mutants change. */
const READS_SOURCES = ["lib/documents/growth.test.ts"]

/** A test that fails on a busy machine would end the run before the first mutant. Stryker ends mutants that hang. */
const TIMEOUTS = { testTimeout: 120_000, hookTimeout: 120_000 }

/** The files of `npm run mutate -- --near`. */
const near = process.env.EARMARK_MUTATION_TESTS?.split(",")

/** The unit tests alone: Stryker runs every project of the configuration it gets. */
export default defineConfig({
  test: {
    projects: [{ test: { ...unitProject.test, ...TIMEOUTS, ...(near && { include: near }), exclude: READS_SOURCES } }],
  },
})
