import type { DatabaseHandle } from "../../database/open.ts"
import type { Store } from "../ports/store.ts"
import { openDocumentIndex, searchInMemory } from "../sql/document-index.ts"
import { createSqlStore } from "../sql/store.ts"
import { sqliteContext } from "./context.ts"

/**
 * The store on SQLite. Every method runs to its end in one synchronous transaction; what writes does so in its turn.
 * `close` closes the database, so a broker on the same handle is closed before it.
 */
export const openSqliteStore = (handle: DatabaseHandle, { now = Date.now }: { now?: () => number } = {}): Store => {
  const c = sqliteContext(handle, now)
  return {
    kind: "sqlite",
    degradedReason: null,
    ...createSqlStore(c, () => null),
    documents: openDocumentIndex("sqlite", c, searchInMemory(c)),
    close: async () => handle.close(),
  }
}
