import { join } from "node:path"
import { requireGroups } from "../../platform/capabilities/registry.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import { packageRoot } from "../../platform/package-root.ts"
import type { Broker } from "../../queue/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"
import { waitForDatabase } from "./wait-for-database.ts"

/** A store, and the queue that lies in the same database. Closing the store closes the database. */
export type Database = { readonly store: Store; openBroker(): Broker }

export const openSqlite = async (path: string): Promise<Database> => {
  const [{ openDatabase }, { openSqliteStore }, { openSqliteBroker }] = await Promise.all([
    import("../../storage/database/open.ts"),
    import("../../storage/stores/sqlite/index.ts"),
    import("../../queue/sqlite/index.ts"),
  ])
  const handle = openDatabase({ path, migrationsDir: join(packageRoot(), "drizzle") })
  return { store: openSqliteStore(handle), openBroker: () => openSqliteBroker(handle) }
}

const openPostgresql = async ({ data }: Config, url: string, log: Logger, patient: boolean): Promise<Database> => {
  const [{ openPostgres }, { openPostgresStore }, { openPostgresBroker }] = await Promise.all([
    import("../../storage/database/postgres/open.ts"),
    import("../../storage/stores/postgres/index.ts"),
    import("../../queue/postgres/index.ts"),
  ])
  const migrationsDir = join(packageRoot(), "drizzle/postgres")
  const open = () => openPostgres({ url, migrationsDir, connections: data.pool, log })
  const handle = await (patient ? waitForDatabase(open, log) : open())
  return { store: openPostgresStore(handle), openBroker: () => openPostgresBroker(handle) }
}

/**
 * The database that the settings name. Modules that need the packages of groups `rag` and `postgres` are reached only
 * here.
 * @param options.patient waits for a PostgreSQL that nobody answers for, instead of failing
 * @returns null without group `rag`
 * @throws AppError with a sentence when it cannot be opened, or PostgreSQL is named and its group is not there
 */
export const openDatabase = async (
  config: Config,
  groups: Deps["groups"],
  log: Logger,
  { patient }: { patient: boolean },
): Promise<Database | null> => {
  const { url, dbPath } = config.data
  if (groups.rag.state !== "present") return null
  if (url === undefined) return openSqlite(dbPath)
  requireGroups(groups, ["postgres"])
  return openPostgresql(config, url, log, patient)
}
