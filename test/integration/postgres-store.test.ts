import { afterAll, beforeAll } from "vitest"
import { openPostgres } from "#lib/db/postgres/open.ts"
import { createLogger } from "#lib/logger.ts"
import { openPostgresStore } from "#lib/store/postgres/index.ts"
import { testDocumentIndex } from "#lib/store/testing/documents.testsuite.ts"
import { testStore } from "#lib/store/testing/store.testsuite.ts"
import type { Store } from "#lib/store/types.ts"
import { askPostgres, EMPTY, migrationsDir, startPostgres } from "#test/fixtures/postgres.ts"

const log = createLogger("silent", "test")
let server: Awaited<ReturnType<typeof startPostgres>>
let url: string
beforeAll(async () => {
  server = await startPostgres()
  url = await server.database()
})
const openHandle = async () => openPostgres({ url, migrationsDir, log })
afterAll(() => server.close())

testStore("PostgreSQL", async () => {
  await askPostgres(url, EMPTY)
  let time = Date.UTC(2026, 0, 1)
  const now = () => time
  const opened: Store[] = []
  const open = async () => {
    const store = openPostgresStore(await openHandle(), { now })
    opened.push(store)
    return store
  }
  return {
    store: await open(),
    another: open,
    clock: {
      now,
      advance: (ms) => {
        time += ms
      },
    },
    teardown: async () => {
      for (const store of opened) await store.close()
    },
  }
})

testDocumentIndex("PostgreSQL without pgvector", async () => {
  await askPostgres(url, EMPTY)
  const store = openPostgresStore(await openHandle())
  return { index: store.search, close: () => store.close() }
})
