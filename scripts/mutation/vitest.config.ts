import { defineConfig } from "vitest/config"
import { unitProject } from "../../vitest.config.ts"

/** Reads the sources, which mutants change. */
const READS_SOURCES = ["lib/documents/growth.test.ts"]

/** The unit tests alone: Stryker runs every project of the configuration it gets. */
export default defineConfig({
  test: { projects: [{ test: { ...unitProject.test, exclude: READS_SOURCES } }] },
})
