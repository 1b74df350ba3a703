import type { DatabaseHandle } from "../../database/open.ts"
import type { Store } from "../ports/store.ts"
import { createSqlDocumentIndex } from "../sql/documents/documents.ts"
import { createMemoryVectorSearch } from "../sql/documents/memory-vectors.ts"
import { createSqlStore } from "../sql/store.ts"
import { createSqliteDatabase } from "./database.ts"

/**
 * Opens the store on SQLite. Each method is one synchronous transaction, and writes are queued. `close` closes the
 * database, so close a broker on the same handle first.
 */
export const openSqliteStore = (handle: DatabaseHandle, { now = Date.now }: { now?: () => number } = {}): Store => {
  const database = createSqliteDatabase(handle, now)
  return {
    kind: "sqlite",
    degradedReason: null,
    ...createSqlStore(database, (onChange) => handle.changes.on(onChange)),
    documents: createSqlDocumentIndex("sqlite", database, createMemoryVectorSearch(database)),
    close: async () => database.close(),
  }
}
