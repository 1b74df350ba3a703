import { accessSync, constants, existsSync } from "node:fs"
import type { Config } from "#lib/config.ts"
import { messageOf } from "#lib/errors.ts"
import { freeBytes, nearestFolder } from "#lib/folder.ts"
import type { Logger } from "#lib/logger.ts"
import { openNode } from "#lib/services/open-node.ts"
import type { Finding } from "./findings.ts"

const LOW_DISK_BYTES = 2 ** 30

export const nodeVersion = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  const detail = `Node.js ${process.versions.node}`
  if (major > 20 || (major === 20 && minor >= 9)) return { name: "node", state: "ok", detail }
  return { name: "node", state: "bad", detail, mend: "install Node.js 20.9 or newer" }
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
        mend: `chown it, or set SERVICE_DATA_DIR`,
      },
    ]
  }
  const free = freeBytes(there)
  if (free === null)
    return [
      { name: "data folder", state: "bad", detail: `no files can be made in ${there}`, mend: "set SERVICE_DATA_DIR" },
    ]
  const detail = `${data.dir}, ${(free / 2 ** 30).toFixed(1)} GiB free`
  if (free < LOW_DISK_BYTES)
    return [
      { name: "data folder", state: "warn", detail, mend: "free some space, or set SERVICE_DATA_DIR to a larger disk" },
    ]
  return [{ name: "data folder", state: "ok", detail }]
}

/** Opens the database only when there is one: looking must not make anything. */
export const database = async (config: Config, log: Logger): Promise<Finding[]> => {
  if (!existsSync(config.data.dbPath))
    return [{ name: "database", state: "ok", detail: "none yet; the first start makes it" }]
  const node = await openNode(config, log)
  try {
    if (!node.store) return [{ name: "database", state: "warn", detail: "not looked at: group rag is not there" }]
    await node.store.ping()
    const [choices, workers, depth] = await Promise.all([
      node.store.choices(),
      node.store.workers({ aliveWithinMs: 30_000 }),
      node.broker?.depth(),
    ])
    const waiting = Object.entries(depth ?? {}).filter(([, n]) => n > 0)
    return [
      { name: "database", state: "ok", detail: config.data.dbPath },
      {
        name: "engines",
        state: "ok",
        detail: choices.map((c) => `${c.kind}: ${c.value}`).join(", ") || "not chosen yet",
      },
      {
        name: "workers",
        state: workers.length || !waiting.length ? "ok" : "warn",
        detail: workers.map((w) => `${w.pid} (${w.stages.join(" ")})`).join(", ") || "none is running",
        ...(!workers.length && waiting.length > 0 && { mend: "npm start, or earmark worker" }),
      },
      { name: "queue", state: "ok", detail: waiting.map(([stage, n]) => `${stage} ${n}`).join(", ") || "empty" },
    ]
  } catch (error) {
    return [{ name: "database", state: "bad", detail: messageOf(error) }]
  } finally {
    await node.close()
  }
}
