import { statSync } from "node:fs"
import { toDatabaseError } from "./errors.ts"
import type { DatabaseHandle } from "./open.ts"

/** Returns the problems that SQLite finds in a database: damaged pages, and rows that refer to missing ones. */
export const checkIntegrity = ({ raw, path }: DatabaseHandle): string[] => {
  try {
    const pages = (raw.pragma("integrity_check") as { integrity_check: string }[]).map((row) => row.integrity_check)
    const rows = (raw.pragma("foreign_key_check") as { table: string; parent: string }[]).map(
      ({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`,
    )
    return [...pages.filter((text) => text !== "ok"), ...rows]
  } catch (error) {
    throw toDatabaseError(error, path)
  }
}

/**
 * Rewrites the database without its free pages. Needs as much free disk space as the database occupies, and blocks writers
 * meanwhile. Returns the bytes of the file before and after.
 */
export const compact = ({ raw, path }: DatabaseHandle): { readonly before: number; readonly after: number } => {
  try {
    raw.pragma("wal_checkpoint(TRUNCATE)")
    const before = statSync(path).size
    raw.exec("vacuum")
    raw.pragma("wal_checkpoint(TRUNCATE)")
    return { before, after: statSync(path).size }
  } catch (error) {
    throw toDatabaseError(error, path)
  }
}
