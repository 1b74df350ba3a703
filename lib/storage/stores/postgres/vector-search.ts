import { createHash } from "node:crypto"
import { and, eq, inArray, sql } from "drizzle-orm"
import type { PostgresHandle } from "../../database/postgres/open.ts"
import type { Hit } from "../ports/documents.ts"
import { toFloats } from "../sql/blobs.ts"
import { chunks as parts } from "../sql/chunks.ts"
import type { Context } from "../sql/context.ts"
import type { VectorSearch } from "../sql/document-index.ts"
import { all, rows } from "../sql/steps.ts"
import { insertVectors } from "./dialect.ts"

/** Building an index over very many vectors takes its time. */
const BUILD_MS = 6 * 3_600_000
/** Neighbours looked at for one that is wanted, the least and the most. */
const LOOK_AT = 4
const LEAST = 100
const MOST = 1_000
/** Vectors filled in at once. */
const FILL = 500

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12)

/** Makes an index for each model and length: before the first vector of it, or over those that are there. */
const openIndexes = ({ pool, pgvector }: PostgresHandle) => {
  const made = new Map<string, Promise<void>>()
  const make = async (model: string, dims: number): Promise<void> => {
    if (!pgvector?.indexable(dims)) return
    const name = `chunk_vectors_hnsw_${digest(model)}_${dims}`
    const { rows } = await pool.query("select to_regclass($1) is not null as found", [name])
    if ((rows[0] as { found: boolean }).found) return
    const text = `create index if not exists ${name} on chunk_vectors
      using hnsw ((embedding::vector(${dims})) vector_cosine_ops) where model = ${literal(model)} and dims = ${dims}`
    const query = { text, query_timeout: BUILD_MS }
    await pool.query(query)
  }
  return (model: string, dims: number): Promise<void> => {
    const key = `${dims} ${model}`
    const making = made.get(key) ?? make(model, dims)
    made.set(key, making)
    making.catch(() => made.delete(key))
    return making
  }
}

/** Passages that were written while the extension was not there. */
const fill = async (c: Context, prepare: ReturnType<typeof openIndexes>): Promise<void> => {
  for (;;) {
    const missing = await c.read(({ db, t: { documents: d, documentChunks: k } }) =>
      all(
        db
          .select({ row: k.id, kind: d.kind, model: d.embedModel, vector: k.vector })
          .from(k)
          .innerJoin(d, eq(d.id, k.documentId))
          .where(sql`length(${k.vector}) > 0 and not exists (select 1 from chunk_vectors v where v.chunk_id = ${k.id})`)
          .limit(FILL),
      ),
    )
    if (missing.length === 0) return
    const vectors = missing.map((m) => ({ ...m, vector: toFloats(m.vector) }))
    for (const { model, vector } of vectors) await prepare(model, vector.length)
    await c.write([], () => insertVectors(vectors))
  }
}

/** Vectors in pgvector: by an HNSW index where it takes so many dimensions, else compared one by one in the database. */
export const searchByPgvector = (
  c: Context,
  handle: PostgresHandle,
): VectorSearch & { prepare(model: string, dims: number): Promise<void> } => {
  const prepare = openIndexes(handle)
  let filled: Promise<void> | undefined
  const whole = (): Promise<void> => {
    filled ??= fill(c, prepare).catch((error: unknown) => {
      filled = undefined
      throw error
    })
    return filled
  }
  return {
    prepare,
    searchVectors: async (model, vector, { scope, limit }) => {
      await whole()
      const dims = sql.raw(String(vector.length))
      const distance = sql`embedding::vector(${dims}) <=> ${`[${vector.join(",")}]`}::vector(${dims})`
      const ofKind = scope === "all" ? sql`` : sql`and kind = ${scope === "clips" ? "clip" : "file"}`
      const look = Math.min(MOST, Math.max(LEAST, limit * LOOK_AT))
      const hits = await c.read(function* () {
        yield* rows(sql`select set_config('hnsw.ef_search', ${String(look)}, true),
          set_config('hnsw.iterative_scan', 'strict_order', true)`)
        return yield* rows<Hit>(sql`select chunk_id as row, 1 - (${distance}) as score from chunk_vectors
          where model = ${sql.raw(literal(model))} and dims = ${dims} ${ofKind} order by ${distance} limit ${limit}`)
      })
      return hits
        .filter((hit) => hit.score > 0)
        .map(({ row, score }) => ({ row, score: Math.min(1, score) }))
        .sort((a, b) => b.score - a.score || a.row - b.row)
    },
    getVectors: (model, wanted) =>
      c.read(function* ({ db, t: { documents: d, documentChunks: k } }) {
        const found = new Map<number, Float32Array>()
        for (const part of parts(wanted)) {
          const kept = db.select({ row: k.id, vector: k.vector }).from(k).innerJoin(d, eq(d.id, k.documentId))
          for (const { row, vector } of yield* all(kept.where(and(eq(d.embedModel, model), inArray(k.id, part)))))
            found.set(row, toFloats(vector))
        }
        return found
      }),
  }
}
