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
 * A worker process whose stages do nothing but wait BENCH_WAIT_MS, as for a model server: everything else (claims,
 * outbox, relay, queue) is the product's own. With BENCH_CONCURRENCY it takes so many messages of a stage at once.
 */
const main = async (): Promise<void> => {
  const waitMs = Number(process.env.BENCH_WAIT_MS ?? 0)
  const config = loadConfig(process.env)
  const log = createLogger("error", "bench")
  const { store, broker, close } = await openNode(config, log)
  if (!store || !broker) throw new Error("the bench needs the groups rag and broker")
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
  const taking = {
    ...broker,
    consume: ((stage, handler) => broker.consume(stage, handler, { concurrency })) as typeof broker.consume,
  }
  const subscriptions = await consumeStages(taking, STAGE_NAMES, runner as StageRunner, log)
  process.once("disconnect", async () => {
    await Promise.all(subscriptions.map((s) => s.stop({ drainMs: 1000 })))
    await relay.stop()
    await close()
    process.exit(0)
  })
  process.send?.("ready")
}

await main()
