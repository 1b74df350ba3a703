import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createLogger } from "#lib/platform/logger.ts"
import { testQueryFilters } from "#lib/services/search/testing/query-filters.testsuite.ts"
import { openPostgres, type PostgresHandle } from "#lib/storage/database/postgres/open.ts"
import { createMemoryIndex } from "#lib/storage/stores/memory/document-index.ts"
import type { Store } from "#lib/storage/stores/ports/store.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { documentOf, testDocumentIndex } from "#lib/storage/stores/testing/documents.testsuite.ts"
import { startPglite } from "#test/fixtures/pglite.ts"
import { EMPTY, migrationsDir } from "#test/fixtures/postgres.ts"

const DIMS = 32
const log = createLogger("silent", "test")
let server: Awaited<ReturnType<typeof startPglite>>
let handle: PostgresHandle
let store: Store
const open = () => openPostgres({ url: server.url, migrationsDir, maxConnections: 1, log })
beforeAll(async () => {
  server = await startPglite()
  handle = await open()
  store = openPostgresStore(handle)
})
afterAll(async () => {
  await store.close()
  await server.close()
})
/** PGlite has a single connection, so the database is emptied through that of the store. */
const emptyDatabase = () => handle.pool.query(EMPTY)

testQueryFilters(
  "PostgreSQL with pgvector",
  async () => {
    await emptyDatabase()
    return { index: store.documents, store, close: async () => {} }
  },
  { count: 100 },
)

testDocumentIndex("PostgreSQL with pgvector", async () => {
  await emptyDatabase()
  return { index: store.documents, close: async () => {} }
})

/** Returns reproducible vectors in random directions. */
const vectors = (count: number, seed: number): Float32Array[] => {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31 - 0.5
  }
  return Array.from({ length: count }, () => {
    const raw = Float32Array.from({ length: DIMS }, next)
    const length = Math.hypot(...raw)
    return raw.map((v) => v / length)
  })
}

const documents = (count: number) =>
  Array.from({ length: count / 100 }, (_, d) => {
    const own = vectors(100, d + 1)
    const document = documentOf(
      `/${d}.txt`,
      own.map((_, i) => `chunk ${d} ${i}`),
    )
    return { ...document, chunks: document.chunks.map((chunk, i) => ({ ...chunk, vector: own[i]! })) }
  })

describe("vectors in pgvector", () => {
  it("report no degradation", () => expect(store.degradedReason).toBeNull())

  it("are found by an HNSW index as well as by an exact comparison", { timeout: 120_000 }, async () => {
    await emptyDatabase()
    const exact = createMemoryIndex()
    for (const document of documents(2_000)) {
      await store.documents.put(document)
      await exact.put(document)
    }
    await handle.pool.query("analyze chunk_vectors")
    const plan = await handle.pool.query(`explain select chunk_id from chunk_vectors where model = 'test-embedder'
      and dims = ${DIMS} order by embedding::vector(${DIMS}) <=> '[${vectors(1, 7)[0]!.join(",")}]'::vector(${DIMS}) limit 10`)
    expect(JSON.stringify(plan.rows)).toContain("chunk_vectors_hnsw_")
    const p = { scope: "documents", limit: 10 } as const
    let found = 0
    for (const query of vectors(20, 99)) {
      const textsOf = async (index: typeof exact) => {
        const rows = (await index.searchVectors("test-embedder", query, p)).map((h) => h.row)
        return (await index.getChunks(rows)).map((c) => c.text)
      }
      const [hits, exactHits] = [await textsOf(store.documents), new Set(await textsOf(exact))]
      found += hits.filter((text) => exactHits.has(text)).length
    }
    expect(found / 200).toBeGreaterThan(0.95)
  })

  it("are added to the index if they were written before the extension existed", async () => {
    await emptyDatabase()
    const without = openPostgresStore({ ...handle, pgvector: null })
    const [document] = documents(100)
    await without.documents.put(document!)
    expect((await handle.pool.query("select count(*) as n from chunk_vectors")).rows).toEqual([{ n: 0 }])
    const later = openPostgresStore(handle)
    const query = document!.chunks[3]!.vector
    const [hit] = await later.documents.searchVectors("test-embedder", query, { scope: "all", limit: 1 })
    expect((await later.documents.getChunks([hit!.row]))[0]?.text).toBe("chunk 0 3")
    expect((await handle.pool.query("select count(*) as n from chunk_vectors")).rows).toEqual([{ n: 100 }])
  })
})
