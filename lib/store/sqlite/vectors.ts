import { and, eq, inArray } from "drizzle-orm"
import { layouts, vectors } from "../../db/schema/index.ts"
import { type Tx, withRead, withWrite } from "../../db/transact.ts"
import type { Layout } from "../types.ts"
import { chunks } from "./chunks.ts"
import type { Context } from "./context.ts"

const toBlob = (v: Float32Array): Buffer => Buffer.from(v.buffer, v.byteOffset, v.byteLength)
/** A copy: a driver's buffer need not lie on a border of four bytes. */
const toFloats = (b: Buffer): Float32Array =>
  new Float32Array(b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength) as ArrayBuffer)

type Keyed = { readonly hash: string; readonly vector: Float32Array }

/** Equal text, equal vector: what is there already stays. */
export const insertVectors = (tx: Tx, model: string, items: readonly Keyed[]): void => {
  for (const part of chunks(items))
    tx.insert(vectors)
      .values(part.map(({ hash, vector }) => ({ model, hash, vector: toBlob(vector) })))
      .onConflictDoNothing()
      .run()
}

export const putVectors = ({ handle }: Context, model: string, items: readonly Keyed[]): void =>
  withWrite(handle, (tx) => insertVectors(tx, model, items))

export const getVectors = ({ handle }: Context, model: string, hashes: readonly string[]): Map<string, Float32Array> =>
  withRead(handle, (tx) => {
    const found = new Map<string, Float32Array>()
    for (const part of chunks([...new Set(hashes)])) {
      const rows = tx
        .select({ hash: vectors.hash, vector: vectors.vector })
        .from(vectors)
        .where(and(eq(vectors.model, model), inArray(vectors.hash, part)))
        .all()
      for (const { hash, vector } of rows) found.set(hash, toFloats(vector))
    }
    return found
  })

export const getLayout = ({ handle }: Context, model: string): Layout | null => {
  const row = withRead(handle, (tx) => tx.select().from(layouts).where(eq(layouts.model, model)).get())
  return row ? { version: row.version, hashes: row.hashes, coords: toFloats(row.coords) } : null
}

export const putLayout = (
  { handle }: Context,
  model: string,
  { hashes, coords }: Omit<Layout, "version">,
  replaces: number,
): Layout | null =>
  withWrite(handle, (tx) => {
    const stands = tx.select({ version: layouts.version }).from(layouts).where(eq(layouts.model, model)).get()
    if ((stands?.version ?? 0) !== replaces) return null
    const set = { version: replaces + 1, hashes: [...hashes], coords: toBlob(coords) }
    tx.insert(layouts)
      .values({ model, ...set })
      .onConflictDoUpdate({ target: layouts.model, set })
      .run()
    return { version: set.version, hashes, coords }
  })
