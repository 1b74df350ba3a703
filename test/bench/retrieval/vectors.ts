import { parseArgs } from "node:util"
import { createLogger } from "#lib/platform/logger.ts"
import { openPostgres, type PostgresHandle } from "#lib/storage/database/postgres/open.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { startPglite } from "../../fixtures/pglite.ts"
import { migrationsDir } from "../../fixtures/postgres.ts"
import { printResult, round } from "../report.ts"
import { syntheticVectors } from "../viz/synthetic.ts"

const MODEL = "bench"
const BATCH = 500
const LIMIT = 10
const QUERIES = 100
const QUERY_TIMEOUT_MS = 6 * 3_600_000

const percentile = (values: readonly number[], p: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * p)]!

/** Stores the vectors as chunks without text of one document. */
const fill = async ({ pool }: PostgresHandle, vectors: Float32Array, dims: number): Promise<void> => {
  const count = vectors.length / dims
  await pool.query(`insert into documents (id, kind, source, fingerprint, embed_model, written_at)
    values ('bench', 'file', '/bench', 'bench', '${MODEL}', 0)`)
  for (let from = 0; from < count; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => from + i)
    const of = (i: number) => vectors.subarray(i * dims, (i + 1) * dims)
    await pool.query(
      `insert into document_chunks (id, document_id, ordinal, text, metadata, vector, stems, stem_count)
        select n, 'bench', n, '', '{}', v, '', 0 from unnest($1::bigint[], $2::bytea[]) as t (n, v)`,
      [rows, rows.map((i) => Buffer.from(of(i).slice().buffer))],
    )
    await pool.query(
      `insert into chunk_vectors (chunk_id, model, kind, dims, embedding)
        select n, '${MODEL}', 'file', ${dims}, v::vector from unnest($1::bigint[], $2::text[]) as t (n, v)`,
      [rows, rows.map((i) => `[${of(i).join(",")}]`)],
    )
  }
}

/** Returns the ten nearest vectors of each query by exact comparison. */
const findNearest = (vectors: Float32Array, queries: readonly Float32Array[], dims: number): Set<number>[] =>
  queries.map((query) => {
    const scores = Array.from({ length: vectors.length / dims }, (_, i) => {
      let dot = 0
      for (let d = 0; d < dims; d++) dot += vectors[i * dims + d]! * query[d]!
      return { i, dot }
    })
    return new Set(
      scores
        .sort((a, b) => b.dot - a.dot)
        .slice(0, LIMIT)
        .map((s) => s.i),
    )
  })

/**
 * Measures the store's vector search in pgvector, exact and with an HNSW index. Recall is the share of the exact ten
 * nearest vectors that the search finds. `--url postgres://…` names an empty database on a server with pgvector. Without
 * it, the bench uses PGlite (PostgreSQL in WebAssembly), whose times differ from those of a server.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: "string" },
      n: { type: "string", default: "100000" },
      dims: { type: "string", default: "256" },
    },
  })
  const [n, dims] = [Number(values.n), Number(values.dims)]
  const pglite = values.url === undefined ? await startPglite() : null
  const log = createLogger("error", "bench")
  const handle = await openPostgres({ url: values.url ?? pglite!.url, migrationsDir, maxConnections: 1, log })
  const store = openPostgresStore(handle)
  try {
    if (!handle.pgvector) throw new Error(`${handle.location} lacks the extension pgvector. Install it, or omit --url.`)
    const { rows } = await handle.pool.query("select exists (select 1 from documents) as filled")
    if ((rows[0] as { filled: boolean }).filled)
      throw new Error(`${handle.location} contains documents. Use an empty database.`)
    const on = pglite ? "PGlite" : "PostgreSQL"
    const { vectors } = syntheticVectors(n, dims)
    // Each query is near a stored vector, as a question is near its answer.
    const queries = Array.from({ length: QUERIES }, (_, q) => {
      const at = Math.floor((q * n) / QUERIES) * dims
      const noise = syntheticVectors(1, dims, q + 2).vectors
      return vectors.slice(at, at + dims).map((v, d) => v + 0.5 * noise[d]!)
    })
    const exact = findNearest(vectors, queries, dims)
    const timeS = async (work: () => Promise<unknown>): Promise<number> => {
      const from = performance.now()
      await work()
      return (performance.now() - from) / 1000
    }
    const load_s = round(await timeS(() => fill(handle, vectors, dims)), 1)
    printResult({ bench: "vectors", on, n, dims, load_s })

    const measure = async (search: string): Promise<void> => {
      const times: number[] = []
      let found = 0
      for (const [q, query] of queries.entries()) {
        const from = performance.now()
        const hits = await store.documents.searchVectors(MODEL, query, { scope: "documents", limit: LIMIT })
        times.push(performance.now() - from)
        found += hits.filter((hit) => exact[q]!.has(hit.row)).length
      }
      const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
      const recall = round(found / (QUERIES * LIMIT), 3)
      printResult({
        bench: "vectors",
        on,
        search,
        n,
        dims,
        p50_ms: round(p50),
        p95_ms: round(p95),
        recall_at_10: recall,
      })
    }
    await measure("exact")
    const build = `create index bench_hnsw on chunk_vectors using hnsw ((embedding::vector(${dims})) vector_cosine_ops)
      where model = '${MODEL}' and dims = ${dims}`
    const query = { text: build, query_timeout: QUERY_TIMEOUT_MS } as { text: string }
    printResult({ bench: "vectors", on, n, dims, build_s: round(await timeS(() => handle.pool.query(query)), 1) })
    await handle.pool.query("analyze chunk_vectors")
    await measure("HNSW")
  } finally {
    await store.close()
    await pglite?.close()
  }
}
