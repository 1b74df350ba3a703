import { join } from "node:path"
import { createParser } from "../../documents/parser.ts"
import { YT_DLP_PROGRAM } from "../../engines/models/catalog.ts"
import { probeGroups } from "../../platform/capabilities/load.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import { openTelemetry } from "../../platform/telemetry/open.ts"
import type { Role } from "../../platform/telemetry/types.ts"
import type { Broker } from "../../queue/types.ts"
import type { SourceFolders } from "../../sources/open.ts"
import type { BlobStore } from "../../storage/blobs/types.ts"
import { createMemoryIndex } from "../../storage/stores/memory/document-index.ts"
import { createMemoryIdempotencyStore } from "../../storage/stores/memory/idempotency.ts"
import type { Deps } from "../deps.ts"
import { createContentCache } from "../documents/content-cache.ts"
import { createDocumentRenderer } from "../export/render/render-document.ts"
import { createEngines } from "./engines.ts"
import { openConfiguredBlobs } from "./open-blobs.ts"
import { openDatabase } from "./open-database.ts"

export type Node = Deps & {
  /** Closes telemetry, parser, contents, engines, broker and store, in this order. */
  close(options?: { drainMs: number }): Promise<void>
}

/**
 * Opens the dependencies of a process as far as their packages are installed.
 * @param role the role of a service process, which reports telemetry under it and waits for the database. Commands have none.
 * @throws AppError if the database cannot be opened
 */
export const openNode = async (config: Config, log: Logger, role?: Role): Promise<Node> => {
  const groups = await probeGroups(config.disabledExtras)
  const telemetry = role ? await openTelemetry(config, log, { role, group: groups.telemetry }) : noTelemetry
  const blobs = await openConfiguredBlobs(config, groups, { make: role !== undefined })
  // Service processes start in any order and wait. A command fails immediately.
  const database = await openDatabase(config, groups, log, { patient: role !== undefined })
  const store = database?.store ?? null
  const broker =
    database && groups.broker.state === "present" ? await openBroker(config, log, database.openBroker) : null
  const engines = createEngines({ config, log, store, telemetry })
  const parser = createParser({ tempDir: config.data.tempDir })
  const contents = createContentCache()
  return {
    config,
    log,
    groups,
    store,
    broker,
    engines,
    blobs,
    index: store?.documents ?? createMemoryIndex(),
    idempotency: store?.idempotency ?? createMemoryIdempotencyStore(),
    parser,
    contents,
    renderDocument: createDocumentRenderer(config.pdfFont),
    telemetry,
    modelDownloads: new Map(),
    modelPulls: new Map(),
    close: async ({ drainMs } = { drainMs: 0 }) => {
      // Telemetry closes first, because its last export queries the store.
      await telemetry.close()
      await parser.close()
      await contents.close()
      await engines.close()
      await broker?.close({ drainMs })
      await store?.close()
      blobs.close()
    },
  }
}

/** Opens the configured queue. RabbitMQ need not be running: the broker connects in the background. */
const openBroker = async ({ broker }: Config, log: Logger, openEmbedded: () => Broker): Promise<Broker> => {
  if (broker.urls.length === 0) return openEmbedded()
  const { openAmqpBroker } = await import("../../queue/amqp/index.ts")
  return openAmqpBroker({ urls: broker.urls, log })
}

/** Returns where recordings may be read from. `blobs` is called when an upload is read. */
export const createSourceFolders = (
  { roots, data, fetch, speech }: Config,
  blobs: () => Promise<BlobStore>,
): SourceFolders => ({
  roots,
  blobs,
  tempDir: data.tempDir,
  fetch,
  ytDlp: join(speech.models.dir, YT_DLP_PROGRAM, "yt-dlp"),
})
