import { and, eq, inArray } from "drizzle-orm"
import type { Layout } from "../ports/map.ts"
import { toBlob, toFloats } from "./blobs.ts"
import { chunks } from "./chunks.ts"
import type { Context, Tx } from "./context.ts"
import { all, get, run, type Steps } from "./steps.ts"

type Keyed = { readonly hash: string; readonly vector: Float32Array }

/** Equal text, equal vector: what is there already stays. */
export function* insertVectors({ db, t: { vectors } }: Tx, model: string, items: readonly Keyed[]): Steps<void> {
  for (const part of chunks(items))
    yield* run(
      db
        .insert(vectors)
        .values(part.map(({ hash, vector }) => ({ model, hash, vector: toBlob(vector) })))
        .onConflictDoNothing(),
    )
}

export const putVectors = (c: Context, model: string, items: readonly Keyed[]): Promise<void> =>
  c.write([], (tx) => insertVectors(tx, model, items))

export const getVectors = (c: Context, model: string, hashes: readonly string[]): Promise<Map<string, Float32Array>> =>
  c.read(function* ({ db, t: { vectors } }) {
    const found = new Map<string, Float32Array>()
    for (const part of chunks([...new Set(hashes)])) {
      const rows = yield* all(
        db
          .select({ hash: vectors.hash, vector: vectors.vector })
          .from(vectors)
          .where(and(eq(vectors.model, model), inArray(vectors.hash, part))),
      )
      for (const { hash, vector } of rows) found.set(hash, toFloats(vector))
    }
    return found
  })

export const getLayout = async (c: Context, model: string): Promise<Layout | null> => {
  const row = await c.read(({ db, t: { layouts } }) => get(db.select().from(layouts).where(eq(layouts.model, model))))
  return row ? { version: row.version, hashes: row.hashes, coords: toFloats(row.coords) } : null
}

export const putLayout = (
  c: Context,
  model: string,
  { hashes, coords }: Omit<Layout, "version">,
  replaces: number,
): Promise<Layout | null> =>
  c.write([`layout ${model}`], function* ({ db, t: { layouts } }) {
    const stands = yield* get(db.select({ version: layouts.version }).from(layouts).where(eq(layouts.model, model)))
    if ((stands?.version ?? 0) !== replaces) return null
    const set = { version: replaces + 1, hashes: [...hashes], coords: toBlob(coords) }
    yield* run(
      db
        .insert(layouts)
        .values({ model, ...set })
        .onConflictDoUpdate({ target: layouts.model, set }),
    )
    return { version: set.version, hashes, coords }
  })
