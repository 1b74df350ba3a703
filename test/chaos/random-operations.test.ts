import fc from "fast-check"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { createParser, type DocumentParser } from "#lib/documents/parser.ts"
import { bundleWorker } from "#lib/map/testing/bundle-worker.ts"
import type { VizCompute } from "#lib/map/types.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { arbitraryCommands, arbitraryTopicEdits, makeRecordings, runCommands } from "./random/commands.ts"
import { Expectations } from "./random/expectations.ts"
import { openInProcess } from "./random/in-process.ts"

const RUNS = Number(process.env.EARMARK_TEST_RANDOM_RUNS ?? 10)
const seed = process.env.EARMARK_TEST_RANDOM_SEED
const MAX_COMMANDS = 80
/** The number of topic edits to make; their checks take most of the time. */
const TOPIC_EDITS = Number(process.env.EARMARK_TEST_TOPIC_EDITS ?? 20)
const MAX_TOPIC_COMMANDS = 1000

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

it("keeps tree, edits, vectors and map in agreement under random topic edits with re-runs", {
  timeout: 7_200_000,
}, async () => {
  let edits = 0
  for (let run = 0; edits < TOPIC_EDITS; run++) {
    const limits = { maxCommands: Math.min(MAX_TOPIC_COMMANDS, 2 * TOPIC_EDITS), frequency: 8 }
    const property = fc.asyncProperty(fc.noBias(arbitraryTopicEdits(limits)), async (commands) => {
      const { library, close } = await openInProcess({ viz, parser, clock })
      const expectations = new Expectations()
      try {
        await runCommands(expectations, library, [...makeRecordings(), ...commands])
      } finally {
        edits += expectations.topicChanges
        if (TOPIC_EDITS > 1000) process.stdout.write(`${edits} topic edits\n`)
        await close()
      }
    })
    await fc.assert(property, {
      numRuns: 1,
      endOnFailure: TOPIC_EDITS > 1000,
      ...(seed !== undefined && { seed: Number(seed) + run }),
    })
  }
})

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
