import { postgresError, readOnly } from "../../database/postgres/errors.ts"
import { type PostgresHandle, withClient } from "../../database/postgres/open.ts"
import type { Store } from "../ports/store.ts"
import { openDocumentIndex, searchInMemory } from "../sql/document-index.ts"
import { createSqlStore } from "../sql/store.ts"
import { postgresContext } from "./context.ts"
import { searchByPgvector } from "./vector-search.ts"

const KIND = "postgres"
const PING_MS = 5_000
const NO_PGVECTOR =
  "vectors are compared one by one, because this PostgreSQL lacks the extension pgvector; install it when there are more than some 100 000 passages"

/** After a fail-over the address may lead to a stand-by, which answers every read. Asked outside of our own transactions, where reads are read only. */
const assertWritable = async ({ pool, place }: PostgresHandle): Promise<void> => {
  const question = { text: "show transaction_read_only", query_timeout: PING_MS }
  const { rows } = await withClient(pool, (client) => client.query<{ transaction_read_only: string }>(question)).catch(
    (error: unknown) => {
      throw postgresError(error, place)
    },
  )
  if (rows[0]?.transaction_read_only === "on") throw readOnly(place)
}

/**
 * The store on PostgreSQL: the same operations as on SQLite, each in a transaction of a pooled connection. `now` stands in
 * for the clock of the database in tests. `close` closes the database, so a broker on the same handle is closed before it.
 */
export const openPostgresStore = (handle: PostgresHandle, { now }: { now?: () => number } = {}): Store => {
  const c = postgresContext(handle, now)
  const pgvector = handle.pgvector && searchByPgvector(c, handle)
  const index = openDocumentIndex(KIND, c, pgvector ?? searchInMemory(c))
  const operations = createSqlStore(c, (onChange) => handle.changes.on("outbox", onChange))
  return {
    kind: KIND,
    degradedReason: handle.pgvector ? null : NO_PGVECTOR,
    ...operations,
    ping: async () => {
      await operations.ping()
      await assertWritable(handle)
    },
    documents: {
      ...index,
      put: async (document) => {
        const dims = document.chunks[0]?.vector.length
        if (dims) await pgvector?.prepare(document.embedModel, dims)
        await index.put(document)
      },
    },
    close: () => handle.close(),
  }
}
