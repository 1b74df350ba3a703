import { writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { AppError } from "#lib/domain/errors.ts"
import { newId } from "#lib/domain/ids.ts"
import type { StageName } from "#lib/domain/jobs/stages.ts"
import type { Engines } from "#lib/engines/types.ts"
import { resolveGpuHosts } from "#lib/pipeline/gpu.ts"
import { createStageRunner } from "#lib/pipeline/run-stage.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger, type Logger } from "#lib/platform/logger.ts"
import type { Broker, OutgoingMessage } from "#lib/queue/types.ts"
import { indexClipsQuickly } from "#lib/services/documents/index-clips.ts"
import { createSourceFolders, openNode } from "#lib/services/installation/open-node.ts"
import { createOpenSource } from "#lib/sources/open.ts"
import type { GpuKind } from "#lib/storage/stores/ports/resources.ts"
import type { Claim } from "#lib/storage/stores/ports/stages.ts"
import type { Store } from "#lib/storage/stores/ports/store.ts"
import { parseWorkerArgs } from "#worker/args.ts"
import { consumeStages } from "#worker/consumer.ts"
import { startHeartbeat } from "#worker/heartbeat.ts"
import { startLibraryPreparation } from "#worker/library-preparation.ts"
import { startRelay } from "#worker/relay.ts"
import { ABORT_MS, DRAIN_MS, setupGracefulShutdown } from "#worker/shutdown.ts"
import { startSweeper } from "#worker/sweeper.ts"

/**
 * The worker of the product with injected faults, which job titles request:
 *
 *     kill <point> <stage>   is killed at that point, once per job; points: receive, claim, begin, work, commit, ack, after
 *     poison                 every call to its topic engine throws
 *     abort                  every call to its topic engine aborts the process
 *     slow <ms>              l1 takes this long
 *     fail once              the first attempt of l1 asks to wait for CHAOS_RETRY_MS
 *
 * CHAOS_WAIT_MS delays each topic stage like a model server, CHAOS_CONCURRENCY sets how many messages of a stage
 * are in flight, CHAOS_COPIES how often each message is published. CHAOS_GPU_MS makes speech and topics work on a GPU for
 * this long, and CHAOS_GPU_FAILURES fails every n-th request for it. SIGUSR2 moves the clock of this process by CHAOS_JUMP_MS.
 */
const { CHAOS_WAIT_MS = "0", CHAOS_CONCURRENCY, CHAOS_JUMP_MS = "0", SERVICE_DATA_DIR: dir = "" } = process.env
const { CHAOS_COPIES = "1", CHAOS_RETRY_MS = "0", CHAOS_GPU_MS, CHAOS_GPU_FAILURES = "0" } = process.env
/** The interval at which a stage that works on the GPU logs that it does. */
const GPU_TICK_MS = 20

const titles = new Map<string, string>()
/** Other titles are not stored: there are thousands of jobs, and a scenario measures the memory of this process. */
const remember = (jobId: string, title: string): void => {
  if (title.startsWith("kill ")) titles.set(jobId, title)
}

const dieOnce = (point: string, jobId: string, stage: StageName): void => {
  if (titles.get(jobId) !== `kill ${point} ${stage}`) return
  try {
    writeFileSync(join(dir, `killed-${jobId}`), "", { flag: "wx" })
  } catch {
    return
  }
  process.kill(process.pid, "SIGKILL")
}

/** The job that is being transcribed. A worker transcribes one at a time. */
let transcribingJobId = ""

/** Fields that `faultyStore` adds to the options of a claimed job for the engines. */
type FaultOptions = {
  readonly title?: string
  readonly at?: { readonly jobId: string; readonly stage: StageName; readonly attempt: number }
}

let gpuRequests = 0

const faultyStore = (store: Store): Store => ({
  ...store,
  resources: {
    ...store.resources,
    acquireGpu: async (request) => {
      if (++gpuRequests % Number(CHAOS_GPU_FAILURES) === 0)
        throw new AppError("unavailable", "the database does not answer", { retry: "retry" })
      return store.resources.acquireGpu(request)
    },
  },
  stages: {
    ...store.stages,
    claim: async (p) => {
      dieOnce("receive", p.jobId, p.stage)
      const result = await store.stages.claim(p)
      if (!result.claim) return result
      remember(p.jobId, result.job.title)
      dieOnce("claim", p.jobId, p.stage)
      if (p.stage === "whisper") transcribingJobId = p.jobId
      const at: FaultOptions["at"] = { jobId: p.jobId, stage: p.stage, attempt: result.claim.attempt }
      return { ...result, job: { ...result.job, options: Object.assign({ at }, result.job.options) } }
    },
    complete: async (claim: Claim, result) => {
      dieOnce("commit", claim.jobId, claim.stage)
      const written = await store.stages.complete(claim, result)
      dieOnce("ack", claim.jobId, claim.stage)
      return written
    },
  },
})

const jobIdOf = (body: string): string | null => {
  try {
    const { job_id } = JSON.parse(body) as { job_id?: unknown }
    return typeof job_id === "string" ? job_id : null
  } catch {
    return null
  }
}

/** Long enough for the ack to be sent, and too short for the job to run again. */
const AFTER_MS = 5

const copiesOf = (message: OutgoingMessage): OutgoingMessage[] =>
  Array.from({ length: Number(CHAOS_COPIES) }, (_, i) =>
    i === 0 ? message : { ...message, id: `${message.id}-copy-${i}` },
  )

const faultyBroker = (broker: Broker, store: Store): Broker => ({
  ...broker,
  publish: (messages) => broker.publish(messages.flatMap(copiesOf)),
  consume: (stage, handler, options) =>
    broker.consume(
      stage,
      async (delivery) => {
        const jobId = jobIdOf(delivery.body)
        if (jobId !== null) {
          if (!titles.has(jobId)) remember(jobId, (await store.jobs.get(jobId))?.title ?? "")
        }
        const settlement = await handler(delivery)
        if (jobId !== null) setTimeout(dieOnce, AFTER_MS, "after", jobId, stage)
        return settlement
      },
      CHAOS_CONCURRENCY ? { concurrency: Number(CHAOS_CONCURRENCY) } : options,
    ),
})

/** Works on a GPU for CHAOS_GPU_MS, without the time in which this process is stopped, and logs at short intervals that it does. */
const workOnGpu = async (kind: GpuKind, signal: AbortSignal, log: Logger): Promise<void> => {
  for (let leftMs = Number(CHAOS_GPU_MS); leftMs > 0; leftMs -= GPU_TICK_MS) {
    log.info({ kind }, "working on the GPU")
    await sleep(GPU_TICK_MS, undefined, { signal })
  }
}

const withGpu = (engines: Engines, log: Logger): Engines => ({
  ...engines,
  speech: {
    ...engines.speech,
    pick: async (choice) => {
      const engine = await engines.speech.pick(choice)
      const transcribe: typeof engine.transcribe = async (request) => {
        await workOnGpu("whisper", request.signal, log)
        const words = [{ word: "late", start: 0, end: 1, speaker: "0" }]
        const heard = { words, duration_s: 1, language: "en", engine: "openai", model: "chaos" } as const
        return { ...heard, words, diarized: false, estimatedTimes: false, notes: [] }
      }
      return { ...engine, usesGpu: true, transcribe }
    },
  },
  getTopicModel: async (options) => {
    const topics = await engines.getTopicModel(options)
    const findBoundaries: typeof topics.findBoundaries = async (...args) => {
      await workOnGpu("llm", args[1].signal, log)
      return topics.findBoundaries(...args)
    }
    return { ...topics, model: "chaos", findBoundaries }
  },
  releaseModel: async () => {},
})

const faultyEngines = (engines: Engines): Engines => ({
  ...engines,
  speech: {
    ...engines.speech,
    pick: async (wish) => {
      const engine = await engines.speech.pick(wish)
      dieOnce("begin", transcribingJobId, "whisper")
      const transcribe: typeof engine.transcribe = (request) =>
        engine.transcribe({
          ...request,
          progress: (progress) => {
            dieOnce("work", transcribingJobId, "whisper")
            request.progress(progress)
          },
        })
      return { ...engine, transcribe }
    },
  },
  getTopicModel: async (options) => {
    const topics = await engines.getTopicModel(options)
    const { title = "", at } = options as FaultOptions
    if (at) dieOnce("begin", at.jobId, at.stage)
    if (title === "poison") throw new Error("poison")
    if (title === "abort") process.abort()
    if (title === "fail once" && at?.stage === "l1" && at.attempt === 1)
      throw new AppError("unavailable", "the server asks to wait", {
        retry: "retry",
        retryInMs: Number(CHAOS_RETRY_MS),
      })
    const slow = at?.stage === "l1" ? /^slow (\d+)$/.exec(title)?.[1] : undefined
    await sleep(Number(slow ?? CHAOS_WAIT_MS))
    return topics
  },
})

const main = async (): Promise<void> => {
  const { now } = Date
  let clockOffsetMs = 0
  Date.now = () => now() + clockOffsetMs
  process.on("SIGUSR2", () => {
    clockOffsetMs = Number(CHAOS_JUMP_MS)
  })
  const config = loadConfig(process.env)
  const log = createLogger("info", "worker")
  const node = await openNode(config, log)
  if (!node.store || !node.broker) throw new Error("the groups rag and broker are needed")
  const store = faultyStore(node.store)
  const broker = faultyBroker(node.broker, node.store)
  const engines = faultyEngines(CHAOS_GPU_MS ? withGpu(node.engines, log) : node.engines)
  const stages = parseWorkerArgs(process.argv.slice(2)).stages
  const { leaseMs, heartbeatMs, sweepMs, maxDeferMs } = config.pipeline
  const [owner, host] = [newId(), hostname()]
  const openSource = createOpenSource(createSourceFolders(config, async () => node.blobs))
  const gpus = resolveGpuHosts(config, host)
  const leases = { owner, host, leaseMs, heartbeatMs, maxDeferMs }
  const runner = createStageRunner({ store, engines, openSource, log, ...leases, gpus })
  const relay = startRelay({ outbox: store.outbox, broker, owner, leaseMs, log })
  const sweeper = startSweeper({ store, engines, leaseMs, intervalMs: sweepMs, log })
  const preparation = startLibraryPreparation({
    prepare: async (signal) => {
      await store.library.prepare(signal)
      await indexClipsQuickly(node, signal)
    },
    intervalMs: sweepMs,
    log,
  })
  const subscriptions = await consumeStages(broker, stages, runner, log)
  const isAlive = async () => true
  const heartbeat = startHeartbeat({ store, id: owner, stages, runner, isAlive, onStuck: () => {}, log })
  const drain = async (): Promise<void> => {
    const abort = setTimeout(runner.abort, DRAIN_MS)
    await Promise.all(subscriptions.map((s) => s.stop({ drainMs: DRAIN_MS + ABORT_MS })))
    clearTimeout(abort)
  }
  setupGracefulShutdown(log, [
    { name: "draining", run: drain },
    { name: "stopping the sweeper", run: sweeper.stop },
    { name: "stopping the preparation of the library", run: preparation.stop },
    { name: "the relay's last pass", run: relay.stop },
    { name: "deregistering the worker", run: heartbeat.stop },
    { name: "closing", run: () => node.close() },
  ])
  process.send?.({ type: "ready" })
}

await main()
