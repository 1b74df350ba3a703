import { join } from "node:path"
import { createParser } from "../../documents/parser.ts"
import { probeGroups } from "../../platform/capabilities/load.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import { packageRoot } from "../../platform/package-root.ts"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import { openTelemetry } from "../../platform/telemetry/open.ts"
import type { Role } from "../../platform/telemetry/types.ts"
import type { Broker } from "../../queue/types.ts"
import { createMemoryIndex } from "../../storage/stores/memory/document-index.ts"
import type { Deps } from "../deps.ts"
import { createEngines } from "./engines.ts"
import { openBlobs } from "./open-blobs.ts"
import { openDatabase } from "./open-database.ts"

export type Node = Deps & {
  /** Ends telemetry, engines, broker and store, in this order. */
  close(options?: { drainMs: number }): Promise<void>
}

/** The queue that the settings name. RabbitMQ need not be there yet: it is connected to in the background. */
const openBroker = async ({ broker }: Config, log: Logger, embedded: () => Broker): Promise<Broker> => {
  if (broker.urls.length === 0) return embedded()
  const { openAmqpBroker } = await import("../../queue/amqp/index.ts")
  return openAmqpBroker({ urls: broker.urls, log })
}

/**
 * Opens what a process of Earmark works on: store, broker and engines, as far as their packages are there. One that
 * takes part in the service has a `role` in it and reports under that, if the settings say so.
 * @throws AppError with a sentence when the database cannot be opened
 */
export const openNode = async (config: Config, log: Logger, role?: Role): Promise<Node> => {
  const groups = await probeGroups(config.disabledExtras)
  const telemetry = role ? await openTelemetry(config, log, { role, group: groups.telemetry }) : noTelemetry
  const blobs = await openBlobs(config, groups, { make: role !== undefined })
  // Parts of the service start in any order; somebody at a prompt wants to know at once.
  const database = await openDatabase(config, groups, log, { patient: role !== undefined })
  const store = database?.store ?? null
  const broker =
    database && groups.broker.state === "present" ? await openBroker(config, log, database.openBroker) : null
  const engines = createEngines({ config, log, store, telemetry })
  const parser = createParser({ file: join(packageRoot(), "dist/document-parser.js") })
  return {
    config,
    log,
    groups,
    store,
    broker,
    engines,
    blobs,
    index: store?.documents ?? createMemoryIndex(),
    parser,
    telemetry,
    pulls: new Map(),
    close: async ({ drainMs } = { drainMs: 0 }) => {
      // First: its last reading asks the store.
      await telemetry.close()
      await parser.close()
      await engines.close()
      await broker?.close({ drainMs })
      await store?.close()
      blobs.close()
    },
  }
}
