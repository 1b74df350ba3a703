import fc from "fast-check"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { createParser, type DocumentParser } from "#lib/documents/parser.ts"
import { bundleWorker } from "#lib/map/testing/bundle-worker.ts"
import type { VizCompute } from "#lib/map/types.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { arbitraryCommands, runCommands } from "./random/commands.ts"
import { Expectations } from "./random/expectations.ts"
import { openInProcess } from "./random/in-process.ts"

const RUNS = Number(process.env.EARMARK_TEST_RANDOM_RUNS ?? 10)
const seed = process.env.EARMARK_TEST_RANDOM_SEED
const MAX_COMMANDS = 80

let viz: VizCompute
let parser: DocumentParser
let offsetMs = 0

beforeAll(async () => {
  viz = openVizCompute({ workerFile: await bundleWorker(), log: createLogger("silent", "test") })
  parser = createParser()
})
beforeEach(() => {
  const { now } = Date
  vi.spyOn(Date, "now").mockImplementation(() => now() + offsetMs)
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await parser.close()
  await viz.close()
})

const clock = {
  advance: (ms: number) => {
    offsetMs += ms
  },
}

it("keeps every invariant under random operations and deaths of workers", { timeout: 600_000 }, async () => {
  let operations = 0
  const property = fc.asyncProperty(
    fc.noBias(arbitraryCommands({ maxCommands: MAX_COMMANDS, frequency: 1 })),
    async (commands) => {
      const { library, close } = await openInProcess({ viz, parser, clock })
      const expectations = new Expectations()
      try {
        await runCommands(expectations, library, commands)
      } finally {
        operations += expectations.operations
        await close()
      }
    },
  )
  await fc.assert(property, { numRuns: RUNS, ...(seed !== undefined && { seed: Number(seed) }) })
  expect(operations).toBeGreaterThan(RUNS)
})
