// Vitest's global setup for unit tests: bundles child programs that many tests start, because their sources take five times as long.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { bundleOptions } from "./bundle.mjs"
import { root } from "./setup.mjs"

const PROGRAMS = ["document-parser", "document-writer"]

/** @returns the teardown */
export const setup = async ({ config }) => {
  // While sources change, tests start those.
  if (config.watch) return
  const { build } = await import("esbuild")
  const cache = join(root, "node_modules/.cache")
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "earmark-test-programs-"))
  await build(bundleOptions(PROGRAMS, folder))
  process.env.EARMARK_TEST_PROGRAMS = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
