import { setTimeout as sleep } from "node:timers/promises"
import { newId } from "#lib/domain/ids.ts"
import { STAGE_NAMES, type StageName } from "#lib/domain/jobs/stages.ts"
import type { StageRunner } from "#lib/pipeline/run-stage.ts"
import type { StageOutcome } from "#lib/pipeline/stage.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { resultOf } from "#lib/storage/stores/testing/fixtures.ts"
import { consumeStages } from "#worker/consumer.ts"
import { startRelay } from "#worker/relay.ts"

/**
 * Runs a worker process whose stages only wait BENCH_WAIT_MS, as for a model server. Claims, outbox, relay and queue are
 * those of the product. BENCH_CONCURRENCY sets the number of messages of a stage that are in flight.
 */
const main = async (): Promise<void> => {
  const waitMs = Number(process.env.BENCH_WAIT_MS ?? 0)
  const config = loadConfig(process.env)
  const log = createLogger("error", "bench")
  const { store, broker, close } = await openNode(config, log)
  if (!store || !broker) throw new Error("This bench needs the capability groups rag and broker: npm install.")
  const owner = newId()
  const { leaseMs } = config.pipeline

  const run = async (jobId: string, stage: StageName): Promise<StageOutcome> => {
    const { claim } = await store.stages.claim({ jobId, stage, owner, host: "bench", leaseMs })
    if (!claim) return "duplicate"
    if (waitMs > 0) await sleep(waitMs)
    return (await store.stages.complete(claim, resultOf(stage))) ? "done" : "dropped"
  }
  const runner: Pick<StageRunner, "run"> = { run }
  const concurrency = Number(process.env.BENCH_CONCURRENCY ?? 4)
  const relay = startRelay({ outbox: store.outbox, broker, owner, leaseMs, log })
  const limitedBroker = {
    ...broker,
    consume: ((stage, handler) => broker.consume(stage, handler, { concurrency })) as typeof broker.consume,
  }
  const subscriptions = await consumeStages(limitedBroker, STAGE_NAMES, runner as StageRunner, log)
  process.once("disconnect", async () => {
    await Promise.all(subscriptions.map((s) => s.stop({ drainMs: 1000 })))
    await relay.stop()
    await close()
    process.exit(0)
  })
  process.send?.("ready")
}

await main()
