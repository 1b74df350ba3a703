#!/usr/bin/env node
import { hostname } from "node:os"
import { join } from "node:path"
import { AppError, messageOf } from "../lib/domain/errors.ts"
import { newId } from "../lib/domain/ids.ts"
import { resolveGpuHosts } from "../lib/pipeline/gpu.ts"
import { createStageRunner } from "../lib/pipeline/run-stage.ts"
import { requireGroups } from "../lib/platform/capabilities/registry.ts"
import { loadConfig, readDotEnv } from "../lib/platform/config/config.ts"
import { removeStaleTempFiles } from "../lib/platform/files/temp-files.ts"
import { createLogger } from "../lib/platform/logger.ts"
import { indexClipsQuickly } from "../lib/services/documents/index-clips.ts"
import { createSourceFolders, openNode } from "../lib/services/installation/open-node.ts"
import { makeSummary } from "../lib/services/summaries/make-summary.ts"
import { webhookRules } from "../lib/services/webhooks/new-webhook.ts"
import { createOpenSource } from "../lib/sources/open.ts"
import type { SummaryClaim } from "../lib/storage/stores/ports/summaries.ts"
import { parseWorkerArgs, USAGE } from "./args.ts"
import { consumeStages } from "./consumer.ts"
import { startEmbedderChange } from "./embedder-change.ts"
import { startHeartbeat } from "./heartbeat.ts"
import { startLibraryPreparation } from "./library-preparation.ts"
import { createLivenessCheck } from "./liveness-check.ts"
import { startMaintenance } from "./maintenance.ts"
import { startRelay } from "./relay.ts"
import { ABORT_MS, DRAIN_MS, setupGracefulShutdown } from "./shutdown.ts"
import { startSummaries } from "./summaries.ts"
import { startSweeper } from "./sweeper.ts"
import { startWebhooks } from "./webhooks.ts"

const main = async (): Promise<void> => {
  const { isHelp, stages } = parseWorkerArgs(process.argv.slice(2))
  if (isHelp) {
    process.stdout.write(USAGE)
    return
  }
  readDotEnv(join(process.cwd(), ".env"), process.env)
  const config = loadConfig(process.env)
  const log = createLogger(config.logLevel, "worker")
  const node = await openNode(config, log, "worker")
  const { store, broker, engines, telemetry } = node
  if (!store || !broker) return requireGroups(node.groups, ["rag", "broker"])
  await removeStaleTempFiles(config.data.tempDir)
  const owner = newId()
  const { leaseMs, heartbeatMs, sweepMs, maxDeferMs } = config.pipeline
  const openSource = createOpenSource(createSourceFolders(config, async () => node.blobs))
  const host = hostname()
  const gpus = resolveGpuHosts(config, host)
  const leases = { owner, host, leaseMs, heartbeatMs, maxDeferMs }
  const runner = createStageRunner({ store, engines, openSource, log, ...leases, gpus, telemetry })
  const relay = startRelay({ outbox: store.outbox, broker, owner, leaseMs, log })
  const sweeper = startSweeper({ store, engines, leaseMs, intervalMs: sweepMs, log })
  const prepare = async (signal: AbortSignal): Promise<void> => {
    await store.library.prepare(signal)
    await indexClipsQuickly(node, signal)
  }
  const preparation = startLibraryPreparation({ prepare, intervalMs: sweepMs, log })
  const change = startEmbedderChange({ deps: node, store, owner, intervalMs: sweepMs, log })
  const maintenance = startMaintenance({ deps: node, store, broker, owner, log })
  const webhooks = startWebhooks({ store: store.webhooks, rules: webhookRules(config), owner, log })
  const make = (claim: SummaryClaim, signal: AbortSignal) => makeSummary({ ...node, log }, claim, signal)
  const summaries = startSummaries({ store: store.summaries, make, owner, log })
  const subscriptions = await consumeStages(broker, stages, runner, log)
  const isAlive = createLivenessCheck({ broker, runner, stages })
  const heartbeat = startHeartbeat({ store, id: owner, stages, runner, isAlive, onStuck: () => void end(1), log })

  const drain = async (): Promise<void> => {
    const abort = setTimeout(runner.abort, DRAIN_MS)
    await Promise.all(subscriptions.map((s) => s.stop({ drainMs: DRAIN_MS + ABORT_MS })))
    clearTimeout(abort)
  }
  const end = setupGracefulShutdown(log, [
    { name: "draining stages", run: drain },
    { name: "stopping the sweeper", run: sweeper.stop },
    { name: "stopping the preparation of the library", run: preparation.stop },
    { name: "stopping the change of the embedder", run: change.stop },
    { name: "stopping maintenance", run: maintenance.stop },
    { name: "stopping summaries", run: summaries.stop },
    { name: "stopping webhooks", run: webhooks.stop },
    { name: "publishing the last messages", run: relay.stop },
    { name: "deregistering the worker", run: heartbeat.stop },
    { name: "closing the database", run: () => node.close() },
  ])
  log.info({ stages, worker: owner, chosen: await store.installation.listChoices() }, "worker ready")
  process.send?.({ type: "ready" })
}

main().catch((error: unknown) => {
  process.stderr.write(`earmark worker: ${messageOf(error)}\n`)
  process.exit(AppError.is(error) && error.code === "invalid" ? 2 : 1)
})
