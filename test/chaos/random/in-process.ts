import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DocumentParser } from "#lib/documents/parser.ts"
import { newId } from "#lib/domain/ids.ts"
import { stageMessage } from "#lib/domain/jobs/stages.ts"
import type { VizCompute } from "#lib/map/types.ts"
import { createStageRunner } from "#lib/pipeline/run-stage.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { createSourceFolders, type Node, openNode } from "#lib/services/installation/open-node.ts"
import { createOpenSource } from "#lib/sources/open.ts"
import type { OutboxMessage } from "#lib/storage/stores/ports/outbox.ts"
import type { Store } from "#lib/storage/stores/ports/store.ts"
import { createHandler } from "#worker/consumer.ts"
import { createFolder, type KillPoint, type Library, type Workers } from "./library.ts"
import { findInSqlite } from "./tables.ts"

const LEASE_MS = 30_000
const SWEEP_MS = 5_000
/** Enough for three expired leases of each stage. */
const MAX_SWEEPS = 200
/** How many messages are handled concurrently. */
const CONCURRENCY = 3

/** A clock that a test advances. The installation must be opened after it is set. */
export type Clock = { advance(ms: number): void }

/**
 * Runs the stages in this process, from the outbox instead of a queue. A killed worker leaves what SIGKILL leaves: a claim
 * that nobody holds, a message that is not acknowledged, or one that is published but not recorded as such.
 */
const createWorkers = (node: Node & { store: Store }, clock: Clock): Workers => {
  const { store, engines, log, config } = node
  const openSource = createOpenSource(createSourceFolders(config, async () => node.blobs))
  const { maxDeferMs } = config.pipeline
  const process = { owner: newId(), host: "host", leaseMs: LEASE_MS, heartbeatMs: LEASE_MS / 3, maxDeferMs }
  const runner = createStageRunner({
    store,
    engines,
    openSource,
    log,
    ...process,
    gpus: { speech: "", ollama: "", openai: "" },
  })
  const handle = createHandler(runner, log)
  const queue: OutboxMessage[] = []

  const publish = async ({ isRecorded = true } = {}): Promise<void> => {
    const due = await store.outbox.listDue(1000)
    queue.push(...due)
    if (isRecorded) await store.outbox.markPublished(due.map(({ id }) => id))
  }
  const deliver = async (message: OutboxMessage): Promise<void> => {
    const settlement = await handle({ ...message, redelivered: false })
    if (typeof settlement === "object" && "deadLetter" in settlement) throw new Error(settlement.deadLetter)
    if (settlement !== "ack") queue.push(message)
  }
  const work = async (messages: number): Promise<void> => {
    for (let left = messages; left > 0; left -= CONCURRENCY) {
      await publish()
      if (queue.length === 0) return
      await Promise.all(queue.splice(0, Math.min(left, CONCURRENCY)).map(deliver))
    }
  }
  const claim = async ({ body, stage }: OutboxMessage): Promise<void> => {
    const { job_id: jobId, attempt, crashed: alone = false } = stageMessage.parse(JSON.parse(body))
    await store.stages.claim({ jobId, stage, attempt, alone, owner: newId(), host: "host", leaseMs: LEASE_MS })
  }
  const kill = async (point: KillPoint): Promise<void> => {
    if (point === "publish") return publish({ isRecorded: false })
    await publish()
    const [message] = queue
    if (!message) return
    if (point === "claim") await claim(message)
    else await handle({ ...message, redelivered: false })
  }
  const isIdle = async (): Promise<boolean> => {
    const { queued, running } = await store.jobs.countByStatus()
    return queued + running + queue.length === 0 && (await store.outbox.listDue(1)).length === 0
  }
  const settle = async (): Promise<void> => {
    for (let sweeps = 0; !(await isIdle()); sweeps++) {
      if (sweeps > MAX_SWEEPS) throw new Error("the jobs do not end")
      await work(Number.MAX_SAFE_INTEGER)
      clock.advance(SWEEP_MS)
      await store.stages.sweep({ leaseMs: LEASE_MS, intervalMs: SWEEP_MS })
    }
  }
  return { work, kill, settle }
}

/** What installations of one test share, because it takes long to start. */
export type Shared = { readonly viz: VizCompute; readonly parser: DocumentParser; readonly clock: Clock }

/** Opens an installation on SQLite whose workers run in this process. */
export const openInProcess = async ({ viz, parser, clock }: Shared) => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-random-"))
  const folder = createFolder(dir)
  const env = { SERVICE_DATA_DIR: join(dir, "data"), SERVICE_INGEST_ROOTS: folder, SERVICE_PROVIDER: "builtin" }
  const node = await openNode(loadConfig({ ...env, SERVICE_MODELS_OFFLINE: "true" }), createLogger("silent", "test"))
  const deps = { ...node, store: node.store!, viz, parser }
  const library: Library = {
    deps,
    folder,
    workers: createWorkers(deps, clock),
    background: [],
    findInTables: async (texts) => findInSqlite(join(dir, "data/earmark.db"), texts),
  }
  return {
    library,
    close: async (): Promise<void> => {
      await node.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
