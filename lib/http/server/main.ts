import { join } from "node:path"
import { AppError, messageOf } from "../../domain/errors.ts"
import { openVizCompute } from "../../map/worker/compute-thread.ts"
import { type Config, loadConfig, readDotEnv } from "../../platform/config/config.ts"
import { createLogger, type Logger } from "../../platform/logger.ts"
import { packageRoot } from "../../platform/package-root.ts"
import { linkOrigin } from "../../services/clips/clip-audio.ts"
import { removeStaleUploads } from "../../services/installation/open-blobs.ts"
import { openNode } from "../../services/installation/open-node.ts"
import { registerServiceMetrics } from "../../services/installation/service-metrics.ts"
import { setHttpDeps } from "../container.ts"
import { createJobParser } from "../uploads/job-parser.ts"
import { startHttpServer } from "./http-server.ts"
import { openNextApp } from "./next-app.ts"

/** Running requests get this long to end. Must be shorter than the time after which the supervisor kills the process. */
const DRAIN_TIMEOUT_MS = 10_000
/** How long closing may take after that, including the export of the last telemetry. */
const CLOSE_TIMEOUT_MS = 4_000
const EXIT_INVALID_SETTING = 2

const loadSettings = (): Config => {
  try {
    readDotEnv(join(process.cwd(), ".env"), process.env)
    return loadConfig(process.env)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exit(EXIT_INVALID_SETTING)
  }
}

/** Ends the process. Prints the message of an error that the user can fix, and logs the stack of any other. */
const exitWithError = (error: unknown, log: Logger): never => {
  if (AppError.is(error)) process.stderr.write(`${error.message}\n`)
  else log.fatal({ err: error }, "the service could not start")
  process.exit(AppError.is(error) && error.code === "invalid" ? EXIT_INVALID_SETTING : 1)
}

const start = async (config: Config, log: Logger): Promise<void> => {
  const root = packageRoot()
  const dev = process.argv.includes("--dev")
  const stopping = new AbortController()
  const node = await openNode(config, log, "web")
  const viz = openVizCompute({ workerFile: join(root, "dist/viz-worker.js"), log })
  await removeStaleUploads(node)
  registerServiceMetrics(node)
  setHttpDeps({ ...node, viz, parseJob: createJobParser(), root, stopping: stopping.signal })
  const server = await startHttpServer({
    config,
    log,
    dev,
    tokens: node.store?.tokens ?? null,
    telemetry: node.telemetry,
    mediaOrigin: await linkOrigin(node),
    openPages: ({ hostname, port }) => {
      // Port and database are open, so the supervisor can start the workers while Next.js loads.
      process.send?.({ type: "bound" })
      return openNextApp({ dir: root, dev, hostname, port })
    },
  })

  const stop = async (reason: string): Promise<void> => {
    if (stopping.signal.aborted) return
    log.info({ reason }, "stopping")
    stopping.abort()
    setTimeout(() => process.exit(1), DRAIN_TIMEOUT_MS + CLOSE_TIMEOUT_MS).unref()
    await server.close({ deadlineMs: DRAIN_TIMEOUT_MS })
    await viz.close()
    await node.close()
    process.exit(0)
  }
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void stop(signal))
  // A supervisor that was killed sends no signal, but its channel closes.
  process.on("disconnect", () => void stop("the supervisor ended"))
  process.send?.({ type: "ready", url: server.url })
  log.info({ url: server.url }, "listening")
}

const config = loadSettings()
const log = createLogger(config.logLevel, "web")
await start(config, log).catch((error: unknown) => exitWithError(error, log))
