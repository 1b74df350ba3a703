import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { AppError } from "../../domain/errors.ts"
import { requireGroups } from "../../platform/capabilities/registry.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import { packageRoot } from "../../platform/package-root.ts"
import type { Broker } from "../../queue/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"

/** A store and the queue in the same database. Closing the store closes the database. */
export type Database = { readonly store: Store; openBroker(): Broker }

/**
 * Opens the configured database. Only this function imports modules that need the packages of groups `rag` and `postgres`.
 * @param options.patient wait for an unreachable PostgreSQL server instead of failing
 * @returns null without group `rag`
 * @throws AppError if the database cannot be opened, or `capability_missing` for PostgreSQL without its group
 */
export const openDatabase = async (
  config: Config,
  groups: Deps["groups"],
  log: Logger,
  { patient }: { patient: boolean },
): Promise<Database | null> => {
  const { url, dbPath, durability } = config.data
  if (groups.rag.state !== "present") return null
  if (url === undefined) return openSqlite(dbPath, durability)
  requireGroups(groups, ["postgres"])
  return openPostgresql(config, url, log, patient)
}

export const openSqlite = async (path: string, durability?: "power" | "process"): Promise<Database> => {
  const [{ openDatabase }, { openSqliteStore }, { openSqliteBroker }] = await Promise.all([
    import("../../storage/database/open.ts"),
    import("../../storage/stores/sqlite/index.ts"),
    import("../../queue/sqlite/index.ts"),
  ])
  const handle = openDatabase({
    path,
    migrationsDir: join(packageRoot(), "drizzle"),
    ...(durability && { durability }),
  })
  return { store: openSqliteStore(handle), openBroker: () => openSqliteBroker(handle) }
}

const openPostgresql = async ({ data }: Config, url: string, log: Logger, patient: boolean): Promise<Database> => {
  const [{ openPostgres }, { openPostgresStore }, { openPostgresBroker }] = await Promise.all([
    import("../../storage/database/postgres/open.ts"),
    import("../../storage/stores/postgres/index.ts"),
    import("../../queue/postgres/index.ts"),
  ])
  const migrationsDir = join(packageRoot(), "drizzle/postgres")
  const open = () => openPostgres({ url, migrationsDir, maxConnections: data.pool, durability: data.durability, log })
  const handle = await (patient ? waitForDatabase(open, log) : open())
  return { store: openPostgresStore(handle), openBroker: () => openPostgresBroker(handle) }
}

const MIN_RETRY_DELAY_MS = 250
const MAX_RETRY_DELAY_MS = 5_000

/**
 * Opens a database that may not be running yet, because hosts start in any order. Retries without a limit while the server
 * is unreachable, and logs each reason once.
 * @throws the error of `open` if it is permanent, or if this process has lost its supervisor
 */
export const waitForDatabase = async <T>(open: () => Promise<T>, log: Pick<Logger, "warn" | "info">): Promise<T> => {
  let logged: string | null = null
  for (let delayMs = MIN_RETRY_DELAY_MS; ; delayMs = Math.min(MAX_RETRY_DELAY_MS, delayMs * 2)) {
    try {
      const opened = await open()
      if (logged !== null) log.info("connected to the database")
      return opened
    } catch (error) {
      if (!isTemporary(error) || isOrphaned()) throw error
      if (logged !== error.message) log.warn({ detail: error.message }, "waiting for the database")
      logged = error.message
      await sleep(delayMs)
    }
  }
}

const isTemporary = (error: unknown): error is AppError =>
  AppError.is(error) && error.code === "unavailable" && error.retry === "retry"

/** Returns true if the supervisor that started this process is gone. */
const isOrphaned = (): boolean => process.send !== undefined && !process.connected
