import { readOnlyError, toPostgresError } from "../../database/postgres/errors.ts"
import { type PostgresHandle, withClient } from "../../database/postgres/open.ts"
import { batchChunks } from "../ports/chunk-batches.ts"
import type { Store } from "../ports/store.ts"
import { createSqlDocumentIndex } from "../sql/documents/documents.ts"
import { createMemoryVectorSearch } from "../sql/documents/memory-vectors.ts"
import { createSqlStore } from "../sql/store.ts"
import { createPostgresDatabase } from "./database.ts"
import { createPgvectorSearch } from "./vector-search.ts"

const KIND = "postgres"
const PING_TIMEOUT_MS = 5_000
const NO_PGVECTOR =
  "This PostgreSQL lacks the pgvector extension, so vectors are compared one by one. Install it if you have more than about 100 000 chunks."

/**
 * Throws if the database is read-only: after a failover the address may lead to a standby, which answers every read. Runs
 * outside the store's own transactions, because those for reading are always read-only.
 */
const assertWritable = async ({ pool, location }: PostgresHandle): Promise<void> => {
  const query = { text: "show transaction_read_only", query_timeout: PING_TIMEOUT_MS }
  const { rows } = await withClient(pool, (client) => client.query<{ transaction_read_only: string }>(query)).catch(
    (error: unknown) => {
      throw toPostgresError(error, location)
    },
  )
  if (rows[0]?.transaction_read_only === "on") throw readOnlyError(location)
}

/**
 * Opens the store on PostgreSQL, with the same operations as on SQLite. `close` closes the database, so close a broker on
 * the same handle first.
 * @param options.now replaces the clock of the database in tests
 */
export const openPostgresStore = (handle: PostgresHandle, { now }: { now?: () => number } = {}): Store => {
  const database = createPostgresDatabase(handle, now)
  const pgvector = handle.pgvector && createPgvectorSearch(database, handle)
  const index = createSqlDocumentIndex(KIND, database, pgvector ?? createMemoryVectorSearch(database))
  const store = createSqlStore(database, (onChange) => handle.changes.on("outbox", onChange))
  return {
    ...store,
    kind: KIND,
    degradedReason: handle.pgvector ? null : NO_PGVECTOR,
    ping: async () => {
      await store.ping()
      await assertWritable(handle)
    },
    documents: {
      ...index,
      put: async (document) => {
        const dims = batchChunks(document.chunks, 1).next().value?.[0]?.vector.length
        if (dims) await pgvector?.ensureIndex(document.embedModel, dims)
        return index.put(document)
      },
    },
    close: () => handle.close(),
  }
}
