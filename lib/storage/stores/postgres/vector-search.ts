import { createHash } from "node:crypto"
import { and, eq, inArray, sql } from "drizzle-orm"
import type { PostgresHandle } from "../../database/postgres/open.ts"
import type { Hit } from "../ports/documents.ts"
import type { SqlDatabase } from "../sql/database.ts"
import type { VectorSearch } from "../sql/documents/memory-vectors.ts"
import { selectChunkIds } from "../sql/documents/scope.ts"
import { decodeVector } from "../sql/map/vectors.ts"
import { all, inBatches, queryRows } from "../sql/statements.ts"
import { insertVectors } from "./dialect.ts"

/** An index over millions of vectors takes hours to build. */
const INDEX_TIMEOUT_MS = 6 * 3_600_000
/** The number of neighbors that the index examines: this many per wanted hit, within limits. */
const CANDIDATES_PER_HIT = 4
const MIN_CANDIDATES = 100
const MAX_CANDIDATES = 1_000
const BACKFILL_BATCH = 500

const sqlString = (text: string): string => `'${text.replaceAll("'", "''")}'`
const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12)

/** Returns a function that creates the index for a model and vector length, unless it exists. */
const createIndexManager = ({ pool, pgvector }: PostgresHandle) => {
  const indexes = new Map<string, Promise<void>>()
  const create = async (model: string, dims: number): Promise<void> => {
    if (!pgvector?.canIndex(dims)) return
    const name = `chunk_vectors_hnsw_${shortHash(model)}_${dims}`
    const { rows } = await pool.query("select to_regclass($1) is not null as found", [name])
    if ((rows[0] as { found: boolean }).found) return
    const text = `create index if not exists ${name} on chunk_vectors
      using hnsw ((embedding::vector(${dims})) vector_cosine_ops) where model = ${sqlString(model)} and dims = ${dims}`
    const query = { text, query_timeout: INDEX_TIMEOUT_MS }
    await pool.query(query)
  }
  return (model: string, dims: number): Promise<void> => {
    const key = `${dims} ${model}`
    const index = indexes.get(key) ?? create(model, dims)
    indexes.set(key, index)
    index.catch(() => indexes.delete(key))
    return index
  }
}

type EnsureIndex = ReturnType<typeof createIndexManager>

/** Inserts the vectors of chunks that were written while the extension was missing. */
const backfillVectors = async (database: SqlDatabase, ensureIndex: EnsureIndex): Promise<void> => {
  for (;;) {
    const missing = await database.read(({ db, tables: { documents: d, documentChunks: k } }) =>
      all(
        db
          .select({ row: k.id, kind: d.kind, model: d.embedModel, vector: k.vector })
          .from(k)
          .innerJoin(d, eq(d.id, k.documentId))
          .where(sql`length(${k.vector}) > 0 and not exists (select 1 from chunk_vectors v where v.chunk_id = ${k.id})`)
          .limit(BACKFILL_BATCH),
      ),
    )
    if (missing.length === 0) return
    const vectors = missing.map((m) => ({ ...m, vector: decodeVector(m.vector) }))
    for (const { model, vector } of vectors) await ensureIndex(model, vector.length)
    await database.write([], () => insertVectors(vectors))
  }
}

/**
 * Creates a vector search on pgvector. It uses an HNSW index if the extension supports one for this many dimensions, and
 * otherwise compares all vectors in the database.
 */
export const createPgvectorSearch = (
  database: SqlDatabase,
  handle: PostgresHandle,
): VectorSearch & { readonly ensureIndex: EnsureIndex } => {
  const ensureIndex = createIndexManager(handle)
  let backfill: Promise<void> | undefined
  const ensureComplete = (): Promise<void> => {
    backfill ??= backfillVectors(database, ensureIndex).catch((error: unknown) => {
      backfill = undefined
      throw error
    })
    return backfill
  }
  return {
    ensureIndex,
    searchVectors: async (model, vector, { limit, ...filtered }) => {
      const { scope, filter } = filtered
      await ensureComplete()
      const dims = sql.raw(String(vector.length))
      const distance = sql`embedding::vector(${dims}) <=> ${`[${vector.join(",")}]`}::vector(${dims})`
      const kindCondition = scope === "all" ? sql`` : sql`and kind = ${scope === "clips" ? "clip" : "file"}`
      const candidates = Math.min(MAX_CANDIDATES, Math.max(MIN_CANDIDATES, limit * CANDIDATES_PER_HIT))
      const hits = await database.read(function* (tx) {
        // A comparison with every vector in scope: the index may examine many neighbors without finding one in it.
        if (filter)
          return yield* queryRows<Hit>(sql`with in_scope as materialized (
              select chunk_id as row, 1 - (${distance}) as score from chunk_vectors
              where model = ${sql.raw(sqlString(model))} and dims = ${dims} and chunk_id in (${selectChunkIds(tx, filtered)}))
            select row, score from in_scope order by score desc, row limit ${limit}`)
        yield* queryRows(sql`select set_config('hnsw.ef_search', ${String(candidates)}, true),
          set_config('hnsw.iterative_scan', 'strict_order', true)`)
        return yield* queryRows<Hit>(sql`select chunk_id as row, 1 - (${distance}) as score from chunk_vectors
          where model = ${sql.raw(sqlString(model))} and dims = ${dims} ${kindCondition} order by ${distance} limit ${limit}`)
      })
      return hits
        .filter((hit) => hit.score > 0)
        .map(({ row, score }) => ({ row, score: Math.min(1, score) }))
        .sort((a, b) => b.score - a.score || a.row - b.row)
    },
    getVectors: (model, wanted) =>
      database.read(function* ({ db, tables: { documents: d, documentChunks: k } }) {
        const found = new Map<number, Float32Array>()
        for (const batch of inBatches(wanted)) {
          const stored = db.select({ row: k.id, vector: k.vector }).from(k).innerJoin(d, eq(d.id, k.documentId))
          for (const { row, vector } of yield* all(stored.where(and(eq(d.embedModel, model), inArray(k.id, batch)))))
            found.set(row, decodeVector(vector))
        }
        return found
      }),
  }
}
