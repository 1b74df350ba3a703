import { join } from "node:path"
import { AppError, messageOf } from "../../domain/errors.ts"
import { openVizCompute } from "../../map/worker/pool.ts"
import { type Config, loadConfig, readDotEnv } from "../../platform/config/config.ts"
import { createLogger, type Logger } from "../../platform/logger.ts"
import { packageRoot } from "../../platform/package-root.ts"
import { linkOrigin } from "../../services/clips/clip-audio.ts"
import { openNode } from "../../services/installation/open-node.ts"
import { sweepUploads } from "../../services/installation/sweep-uploads.ts"
import { watchService } from "../../services/installation/watch-service.ts"
import { setHttpDeps } from "../container.ts"
import { openNext } from "./next-app.ts"
import { startFront } from "./server.ts"

/** Shorter than what the supervisor waits before it kills. */
const DEADLINE_MS = 10_000
/** What closing may take after that, the last telemetry included. */
const CLOSING_MS = 4_000
const WRONG_SETTING = 2

const settings = (): Config => {
  try {
    readDotEnv(join(process.cwd(), ".env"), process.env)
    return loadConfig(process.env)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exit(WRONG_SETTING)
  }
}

/** One clear sentence for what people can mend; the rest with its stack, for whoever mends the program. */
const giveUp = (error: unknown, log: Logger): never => {
  if (AppError.is(error)) process.stderr.write(`${error.message}\n`)
  else log.fatal({ err: error }, "the service could not start")
  process.exit(AppError.is(error) && error.code === "invalid" ? WRONG_SETTING : 1)
}

const start = async (config: Config, log: Logger): Promise<void> => {
  const root = packageRoot()
  const dev = process.argv.includes("--dev")
  const stopping = new AbortController()
  const node = await openNode(config, log, "web")
  const viz = openVizCompute({ workerFile: join(root, "dist/viz-worker.js"), log })
  await sweepUploads(node)
  watchService(node)
  setHttpDeps({ ...node, viz, root, stopping: stopping.signal })
  const front = await startFront({
    config,
    log,
    dev,
    telemetry: node.telemetry,
    mediaOrigin: await linkOrigin(node),
    open: ({ hostname, port }) => {
      // Port and database are ours: whoever starts the workers may do so while the pages are made ready.
      process.send?.({ type: "bound" })
      return openNext({ dir: root, dev, hostname, port })
    },
  })

  const stop = async (why: string): Promise<void> => {
    if (stopping.signal.aborted) return
    log.info({ why }, "stopping")
    stopping.abort()
    setTimeout(() => process.exit(1), DEADLINE_MS + CLOSING_MS).unref()
    await front.close({ deadlineMs: DEADLINE_MS })
    await viz.close()
    await node.close()
    process.exit(0)
  }
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void stop(signal))
  // A supervisor that was killed cannot say so; its channel closes.
  process.on("disconnect", () => void stop("the supervisor is gone"))
  process.send?.({ type: "ready", url: front.url })
  log.info({ url: front.url }, "listening")
}

const config = settings()
const log = createLogger(config.logLevel, "web")
await start(config, log).catch((error: unknown) => giveUp(error, log))
