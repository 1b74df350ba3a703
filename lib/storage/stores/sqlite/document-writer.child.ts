import Driver from "better-sqlite3"
import { messageOf } from "../../../domain/errors.ts"
import { codeOf } from "../../database/errors.ts"
import { createHandle, type DatabaseHandle } from "../../database/open.ts"
import * as tables from "../../database/schema/index.ts"
import { deleteDocuments, writeDocument } from "../sql/documents/write-document.ts"
import { createSqliteDialect } from "./dialect.ts"
import type { WriteReply, WriteRequest } from "./document-writer.ts"
import { runOperation } from "./execute.ts"

/** Less than the default, because a commit writes what the cache contains. */
const CACHE_KILOBYTES = 4000

let handle: DatabaseHandle | undefined

const open = ({ path, busyTimeoutMs, synchronous }: WriteRequest): DatabaseHandle => {
  const raw = new Driver(path, { timeout: busyTimeoutMs })
  raw.pragma(`synchronous = ${synchronous}`)
  raw.pragma("foreign_keys = ON")
  raw.pragma(`cache_size = -${CACHE_KILOBYTES}`)
  return createHandle(path, raw, busyTimeoutMs)
}

const run = (request: WriteRequest): boolean | number => {
  handle ??= open(request)
  const dialect = createSqliteDialect(handle)
  return handle.db.transaction(
    (db) => {
      const tx = { db, tables, dialect, now: request.now }
      return request.operation === "put"
        ? runOperation(db, writeDocument(tx, request.document))
        : runOperation(db, deleteDocuments(tx, request.ids))
    },
    { behavior: "immediate" },
  ).result
}

const answer = (request: WriteRequest): WriteReply => {
  try {
    return { result: run(request) }
  } catch (error) {
    const code = codeOf(error)
    return { message: messageOf(error), ...(code === undefined ? {} : { code }) }
  }
}

process.on("message", (request: WriteRequest) => process.send?.(answer(request)))
// Closing the connection rolls back.
process.on("disconnect", () => process.exit(0))
