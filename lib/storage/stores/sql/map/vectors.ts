import { and, eq, inArray } from "drizzle-orm"
import type { Layout } from "../../ports/map.ts"
import type { SqlDatabase, Transaction } from "../database.ts"
import { all, get, inBatches, type Operation, run } from "../statements.ts"

/** Encodes a vector as float32 in memory order, which is little-endian on every supported platform. */
export const encodeVector = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

/** Decodes a vector. Copies it, because a driver's buffer may not be aligned to four bytes. */
export const decodeVector = (blob: Buffer): Float32Array => new Float32Array(new Uint8Array(blob).buffer)

type HashedVector = { readonly hash: string; readonly vector: Float32Array }

/** Inserts vectors. Equal text has an equal vector, so existing ones stay. */
export function* insertVectors(
  { db, tables: { vectors } }: Transaction,
  model: string,
  items: readonly HashedVector[],
): Operation<void> {
  for (const batch of inBatches(items))
    yield* run(
      db
        .insert(vectors)
        .values(batch.map(({ hash, vector }) => ({ model, hash, vector: encodeVector(vector) })))
        .onConflictDoNothing(),
    )
}

export const putVectors = (database: SqlDatabase, model: string, items: readonly HashedVector[]): Promise<void> =>
  database.write([], (tx) => insertVectors(tx, model, items))

export const getVectors = (
  database: SqlDatabase,
  model: string,
  hashes: readonly string[],
): Promise<Map<string, Float32Array>> =>
  database.read(function* ({ db, tables: { vectors } }) {
    const found = new Map<string, Float32Array>()
    for (const batch of inBatches([...new Set(hashes)])) {
      const rows = yield* all(
        db
          .select({ hash: vectors.hash, vector: vectors.vector })
          .from(vectors)
          .where(and(eq(vectors.model, model), inArray(vectors.hash, batch))),
      )
      for (const { hash, vector } of rows) found.set(hash, decodeVector(vector))
    }
    return found
  })

export const getLayout = async (database: SqlDatabase, model: string): Promise<Layout | null> => {
  const row = await database.read(({ db, tables: { layouts } }) =>
    get(db.select().from(layouts).where(eq(layouts.model, model))),
  )
  return row ? { version: row.version, hashes: row.hashes, coords: decodeVector(row.coords) } : null
}

export const putLayout = (
  database: SqlDatabase,
  model: string,
  { hashes, coords }: Omit<Layout, "version">,
  replaces: number,
): Promise<Layout | null> =>
  database.write([`layout ${model}`], function* ({ db, tables: { layouts } }) {
    const stored = yield* get(db.select({ version: layouts.version }).from(layouts).where(eq(layouts.model, model)))
    if ((stored?.version ?? 0) !== replaces) return null
    const set = { version: replaces + 1, hashes: [...hashes], coords: encodeVector(coords) }
    yield* run(
      db
        .insert(layouts)
        .values({ model, ...set })
        .onConflictDoUpdate({ target: layouts.model, set }),
    )
    return { version: set.version, hashes, coords }
  })
