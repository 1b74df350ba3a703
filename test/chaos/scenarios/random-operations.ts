import fc from "fast-check"
import { messageOf } from "#lib/domain/errors.ts"
import { bundleWorker } from "#lib/map/testing/bundle-worker.ts"
import type { VizCompute } from "#lib/map/types.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { EMBEDDED, type Scenario, type ScenarioContext } from "../harness/scenario.ts"
import { arbitraryCommands, runCommands } from "../random/commands.ts"
import { Expectations } from "../random/expectations.ts"
import { openProcesses } from "../random/processes.ts"

const MAX_COMMANDS = 300
/** Killed workers and settling take seconds, other operations milliseconds. */
const FREQUENCY = 4
/** How long a failing sequence is shrunk. */
const SHRINK_MS = 300_000

type Totals = { sequences: number; operations: number; kills: number }

/** Returns a property that holds without running anything once `deadline` has passed. */
const createProperty = (c: ScenarioContext, viz: VizCompute, totals: Totals, deadline: number) => {
  const limits = { maxCommands: MAX_COMMANDS, frequency: FREQUENCY, deadline: () => deadline }
  return fc.asyncProperty(fc.noBias(arbitraryCommands(limits)), async (commands) => {
    if (Date.now() > deadline) return
    const { library, close } = await openProcesses({ viz, url: await c.postgres?.database() })
    const expectations = new Expectations()
    try {
      await runCommands(expectations, library, commands)
    } finally {
      totals.sequences++
      totals.operations += expectations.operations
      totals.kills += expectations.kills
      await close()
    }
  })
}

/** Runs random sequences until the time is over or one breaks an invariant. Returns the shrunk sequence, or null. */
const findBroken = async (
  c: ScenarioContext,
  viz: VizCompute,
  totals: Totals,
  { seed, ms }: { seed: number; ms: number },
): Promise<string | null> => {
  const deadline = Date.now() + ms
  const property = createProperty(c, viz, totals, deadline)
  for (let i = 0; Date.now() < deadline; i++) {
    const settings = { seed: seed * 1_000_003 + i, numRuns: 1 }
    const found = await fc.check(property, { ...settings, endOnFailure: true })
    if (!found.failed) continue
    const reason = messageOf(found.errorInstance)
    const shrinking = createProperty(c, viz, { ...totals }, Date.now() + SHRINK_MS)
    const shrunk = await fc.check(shrinking, settings)
    const [commands] = (shrunk.failed ? shrunk : found).counterexample ?? []
    return `seed ${settings.seed}: ${shrunk.failed ? messageOf(shrunk.errorInstance) : `${reason} (not repeated)`} after ${String(commands)}`
  }
  return null
}

export const randomOperations: Scenario = {
  id: "RANDOM",
  title:
    "random operations on four recordings and four documents while workers are killed (SIGKILL), with checks of the invariants above",
  setups: EMBEDDED,
  run: async (c) => {
    const [first, last] = [c.option("seed", 1), c.option("last_seed", c.option("seed", 1))]
    const seeds = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    const viz = openVizCompute({ workerFile: await bundleWorker(), log: createLogger("silent", "test") })
    const totals: Totals = { sequences: 0, operations: 0, kills: 0 }
    let broken = 0
    try {
      for (const seed of seeds) {
        const ms = c.option("seconds", c.size(60, 10)) * 1000
        const found = await findBroken(c, viz, totals, { seed, ms })
        c.check("every invariant holds", found === null, found)
        if (found !== null) broken++
      }
    } finally {
      await viz.close()
    }
    return `${totals.operations} operations in ${totals.sequences} sequences, ${totals.kills} kills, ${broken} broken invariants; seeds ${first} to ${last}`
  },
}
