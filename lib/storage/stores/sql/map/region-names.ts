import { desc, inArray, notInArray } from "drizzle-orm"
import type { SqlDatabase } from "../database.ts"
import { all, inBatches, run } from "../statements.ts"
import { incrementMapRevision } from "./map.ts"

/** More names than regions, so that those of an earlier state of the map need not be written again. */
const MAX_NAMES = 1000

export const getRegionNames = (database: SqlDatabase, keys: readonly string[]): Promise<Map<string, string>> =>
  database.read(function* ({ db, tables: { regionNames } }) {
    const found = new Map<string, string>()
    for (const batch of inBatches([...new Set(keys)]))
      for (const { key, name } of yield* all(db.select().from(regionNames).where(inArray(regionNames.key, batch))))
        found.set(key, name)
    return found
  })

export const putRegionNames = (database: SqlDatabase, names: ReadonlyMap<string, string>): Promise<void> =>
  database.write(["region names"], function* (tx) {
    const { regionNames } = tx.tables
    if (names.size === 0) return
    for (const [key, name] of names) {
      const set = { name, writtenAt: tx.now }
      yield* run(
        tx.db
          .insert(regionNames)
          .values({ key, ...set })
          .onConflictDoUpdate({ target: regionNames.key, set }),
      )
    }
    const latest = tx.db
      .select({ key: regionNames.key })
      .from(regionNames)
      .orderBy(desc(regionNames.writtenAt), regionNames.key)
      .limit(MAX_NAMES)
    yield* run(tx.db.delete(regionNames).where(notInArray(regionNames.key, latest)))
    yield* incrementMapRevision(tx)
  })
