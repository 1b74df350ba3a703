import { accessSync, constants, existsSync } from "node:fs"
import { messageOf } from "#lib/domain/errors.ts"
import { probeGroups } from "#lib/platform/capabilities/load.ts"
import type { Config } from "#lib/platform/config/config.ts"
import { freeBytes, nearestFolder } from "#lib/platform/files/folder.ts"
import type { Logger } from "#lib/platform/logger.ts"
import {
  describeQueues,
  formatQueueLine,
  WORKER_STALE_AFTER_MS,
} from "#lib/services/installation/describe-installation.ts"
import { openConfiguredBlobs } from "#lib/services/installation/open-blobs.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import type { WorkerStatus } from "#lib/storage/stores/ports/installation.ts"
import type { Finding } from "./finding.ts"

const LOW_DISK_BYTES = 2 ** 30

const describeWorker = ({ pid, host, version, stages }: WorkerStatus): string =>
  `${pid} on ${host}${version ? `, ${version}` : ""} (${stages.join(" ")})`

export const checkNodeVersion = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const detail = `Node.js ${process.versions.node}`
  if (major > 20 || (major === 20 && minor >= 9)) return { name: "node", state: "ok", detail }
  return { name: "node", state: "error", detail, fix: "install Node.js 20.9 or newer" }
}

export const checkDataFolder = ({ data }: Config): Finding[] => {
  const folder = nearestFolder(data.dir)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    return [
      {
        name: "data folder",
        state: "error",
        detail: `${folder} is not writable`,
        fix: "change its owner or permissions, or set SERVICE_DATA_DIR",
      },
    ]
  }
  const free = freeBytes(folder)
  if (free === null)
    return [
      {
        name: "data folder",
        state: "error",
        detail: `couldn't create files in ${folder}`,
        fix: "set SERVICE_DATA_DIR",
      },
    ]
  const detail = `${data.dir}, ${(free / 2 ** 30).toFixed(1)} GiB free`
  if (free < LOW_DISK_BYTES)
    return [
      {
        name: "data folder",
        state: "warn",
        detail,
        fix: "free some space, or set SERVICE_DATA_DIR to a folder on a larger disk",
      },
    ]
  return [{ name: "data folder", state: "ok", detail }]
}

const BLOB_CHECK_TIMEOUT_MS = 10_000

/** Checks where uploads are stored and whether the storage is writable. */
export const checkBlobs = async (config: Config): Promise<Finding[]> => {
  const store = await openConfiguredBlobs(config, await probeGroups(config.disabledExtras))
  try {
    return [{ name: "files", state: "ok", detail: await store.check(AbortSignal.timeout(BLOB_CHECK_TIMEOUT_MS)) }]
  } finally {
    store.close()
  }
}

/** Reports the queue of every stage, or why the queues are not available. */
const checkQueues = async ({ store, broker }: Node): Promise<Finding[]> => {
  if (!store || !broker) return []
  try {
    const [queues, dead] = await Promise.all([describeQueues({ store, broker }), broker.deadLetters({ limit: 1 })])
    return [
      ...queues.map((queue): Finding => {
        const hasNoConsumer = queue.waiting > 0 && queue.consumers === 0
        return {
          name: `queue ${queue.stage}`,
          state: hasNoConsumer ? "warn" : "ok",
          detail: formatQueueLine(queue),
          ...(hasNoConsumer && { fix: `npx earmark worker --stages ${queue.stage}` }),
        }
      }),
      dead.length > 0
        ? {
            name: "dead letters",
            state: "warn",
            detail: "some messages could not be processed",
            fix: "earmark dead-letters",
          }
        : { name: "dead letters", state: "ok", detail: "none" },
    ]
  } catch (error) {
    const fix = "start the broker, or correct SERVICE_BROKER_URL"
    return [{ name: "queues", state: "error", detail: messageOf(error), ...(broker.kind === "rabbitmq" && { fix }) }]
  }
}

/** Returns the location of the database without the password. */
const databaseLocation = ({ data }: Config): string => {
  if (data.url === undefined) return data.dbPath
  const { host, pathname } = new URL(data.url)
  return `PostgreSQL ${host}${pathname}`
}

/** Checks the database. Opens it only if it exists, so that the check creates nothing. */
export const checkDatabase = async (config: Config, log: Logger): Promise<Finding[]> => {
  if (config.data.url === undefined && !existsSync(config.data.dbPath))
    return [{ name: "database", state: "ok", detail: "not created yet; the first start creates it" }]
  const node = await openNode(config, log)
  try {
    if (!node.store) return [{ name: "database", state: "warn", detail: "not checked: group rag is not installed" }]
    await node.store.ping()
    const [choices, workers, queues] = await Promise.all([
      node.store.installation.listChoices(),
      node.store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS }),
      checkQueues(node),
    ])
    return [
      {
        name: "database",
        state: "ok",
        detail: databaseLocation(config) + (node.store.degradedReason ? ` (${node.store.degradedReason})` : ""),
      },
      {
        name: "engines",
        state: "ok",
        detail: choices.map((c) => `${c.kind}: ${c.value}`).join(", ") || "not chosen yet",
      },
      {
        name: "workers",
        state: "ok",
        detail: workers.map(describeWorker).join(", ") || "none running",
      },
      ...queues,
    ]
  } catch (error) {
    return [{ name: "database", state: "error", detail: messageOf(error) }]
  } finally {
    await node.close()
  }
}
