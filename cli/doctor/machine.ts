import { accessSync, constants, existsSync } from "node:fs"
import { messageOf } from "#lib/domain/errors.ts"
import { probeGroups } from "#lib/platform/capabilities/load.ts"
import type { Config } from "#lib/platform/config/config.ts"
import { freeBytes, nearestFolder } from "#lib/platform/files/folder.ts"
import type { Logger } from "#lib/platform/logger.ts"
import { describeQueues, queueLine } from "#lib/services/installation/describe-queues.ts"
import { openBlobs } from "#lib/services/installation/open-blobs.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import type { WorkerStatus } from "#lib/storage/stores/ports/installation.ts"
import type { Finding } from "./findings.ts"

const LOW_DISK_BYTES = 2 ** 30

const tellWorker = ({ pid, host, version, stages }: WorkerStatus): string =>
  `${pid} on ${host}${version ? `, ${version}` : ""} (${stages.join(" ")})`

export const nodeVersion = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const detail = `Node.js ${process.versions.node}`
  if (major > 20 || (major === 20 && minor >= 9)) return { name: "node", state: "ok", detail }
  return { name: "node", state: "bad", detail, fix: "install Node.js 20.9 or newer" }
}

export const dataFolder = ({ data }: Config): Finding[] => {
  const there = nearestFolder(data.dir)
  try {
    accessSync(there, constants.W_OK | constants.X_OK)
  } catch {
    return [
      {
        name: "data folder",
        state: "bad",
        detail: `${there} is not writable`,
        fix: `chown it, or set SERVICE_DATA_DIR`,
      },
    ]
  }
  const free = freeBytes(there)
  if (free === null)
    return [
      { name: "data folder", state: "bad", detail: `no files can be made in ${there}`, fix: "set SERVICE_DATA_DIR" },
    ]
  const detail = `${data.dir}, ${(free / 2 ** 30).toFixed(1)} GiB free`
  if (free < LOW_DISK_BYTES)
    return [
      { name: "data folder", state: "warn", detail, fix: "free some space, or set SERVICE_DATA_DIR to a larger disk" },
    ]
  return [{ name: "data folder", state: "ok", detail }]
}

const BLOBS_MS = 10_000

/** Where recordings and documents lie that are sent here, and whether more can be put there. */
export const blobs = async (config: Config): Promise<Finding[]> => {
  const place = await openBlobs(config, await probeGroups(config.disabledExtras))
  try {
    return [{ name: "files", state: "ok", detail: await place.check(AbortSignal.timeout(BLOBS_MS)) }]
  } finally {
    place.close()
  }
}

/** The queue of every stage, or why it cannot be seen. */
const queueFindings = async ({ store, broker }: Node): Promise<Finding[]> => {
  if (!store || !broker) return []
  try {
    const [queues, dead] = await Promise.all([describeQueues({ store, broker }), broker.deadLetters({ limit: 1 })])
    return [
      ...queues.map((queue): Finding => {
        const lonely = queue.waiting > 0 && queue.consumers === 0
        return {
          name: `queue ${queue.stage}`,
          state: lonely ? "warn" : "ok",
          detail: queueLine(queue),
          ...(lonely && { fix: `npx earmark worker --stages ${queue.stage}` }),
        }
      }),
      dead.length > 0
        ? { name: "dead letters", state: "warn", detail: "there are some", fix: "earmark dead-letters" }
        : { name: "dead letters", state: "ok", detail: "none" },
    ]
  } catch (error) {
    const mend = "start the broker, or correct SERVICE_BROKER_URL"
    return [
      { name: "queues", state: "bad", detail: messageOf(error), ...(broker.kind === "rabbitmq" && { fix: mend }) },
    ]
  }
}

/** Where the database is, without a password. */
const placeOf = ({ data }: Config): string => {
  if (data.url === undefined) return data.dbPath
  const { host, pathname } = new URL(data.url)
  return `PostgreSQL ${host}${pathname}`
}

/** Opens the database only when there is one: looking must not make anything. */
export const database = async (config: Config, log: Logger): Promise<Finding[]> => {
  if (config.data.url === undefined && !existsSync(config.data.dbPath))
    return [{ name: "database", state: "ok", detail: "none yet; the first start makes it" }]
  const node = await openNode(config, log)
  try {
    if (!node.store) return [{ name: "database", state: "warn", detail: "not looked at: group rag is not there" }]
    await node.store.ping()
    const [choices, workers, queues] = await Promise.all([
      node.store.installation.listChoices(),
      node.store.installation.listWorkers({ aliveWithinMs: 30_000 }),
      queueFindings(node),
    ])
    return [
      {
        name: "database",
        state: "ok",
        detail: placeOf(config) + (node.store.degradedReason ? ` (${node.store.degradedReason})` : ""),
      },
      {
        name: "engines",
        state: "ok",
        detail: choices.map((c) => `${c.kind}: ${c.value}`).join(", ") || "not chosen yet",
      },
      {
        name: "workers",
        state: "ok",
        detail: workers.map(tellWorker).join(", ") || "none is running",
      },
      ...queues,
    ]
  } catch (error) {
    return [{ name: "database", state: "bad", detail: messageOf(error) }]
  } finally {
    await node.close()
  }
}
