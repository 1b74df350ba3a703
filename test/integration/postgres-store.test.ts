import { afterAll, beforeAll } from "vitest"
import { openPostgres } from "#lib/db/postgres/open.ts"
import { createLogger } from "#lib/logger.ts"
import { openPostgresStore } from "#lib/store/postgres/index.ts"
import { testDocumentIndex } from "#lib/store/testing/documents.testsuite.ts"
import { storeFixture } from "#lib/store/testing/fixtures.ts"
import { testStore } from "#lib/store/testing/store.testsuite.ts"
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
  return storeFixture(async (now) => openPostgresStore(await openHandle(), { now }))
})

testDocumentIndex("PostgreSQL without pgvector", async () => {
  await askPostgres(url, EMPTY)
  const store = openPostgresStore(await openHandle())
  return { index: store.search, close: () => store.close() }
})
