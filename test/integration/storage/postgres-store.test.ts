import { afterAll, beforeAll, expect, it } from "vitest"
import { createLogger } from "#lib/platform/logger.ts"
import { testQueryFilters } from "#lib/services/search/testing/query-filters.testsuite.ts"
import { openPostgres, type PostgresHandle } from "#lib/storage/database/postgres/open.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { testDocumentIndex } from "#lib/storage/stores/testing/documents.testsuite.ts"
import { newJob, storeFixture } from "#lib/storage/stores/testing/fixtures.ts"
import { testStore } from "#lib/storage/stores/testing/store.testsuite.ts"
import { askPostgres, EMPTY, migrationsDir } from "#test/fixtures/postgres.ts"
import { openPostgresServer } from "#test/fixtures/shared-servers.ts"

const log = createLogger("silent", "test")
let server: Awaited<ReturnType<typeof openPostgresServer>>
let url: string
beforeAll(async () => {
  server = await openPostgresServer()
  url = await server.database()
})
/** The connections of two processes, which all tests share: the server starts a process for each new one. */
let handles: readonly [PostgresHandle, PostgresHandle]
beforeAll(async () => {
  const open = () => openPostgres({ url, migrationsDir, log })
  handles = [await open(), await open()]
})
afterAll(async () => {
  for (const handle of handles ?? []) await handle.close()
  await server?.close()
})

const keepOpen = async () => {}

/** Sequences of random events take a second each here, and SQLite runs the same statements. */
const options = { randomRuns: 15 }
testStore(
  "PostgreSQL",
  async () => {
    await handles[0].pool.query(EMPTY)
    let stores = 0
    return storeFixture(async (now) => {
      const handle = stores++ === 0 ? handles[0] : handles[1]
      return { ...openPostgresStore(handle, { now }), close: keepOpen }
    })
  },
  options,
)

testQueryFilters("PostgreSQL without pgvector", async () => {
  await handles[0].pool.query(EMPTY)
  const store = openPostgresStore(handles[0])
  return { index: store.documents, store, close: keepOpen }
})

testDocumentIndex("PostgreSQL without pgvector", async () => {
  await handles[0].pool.query(EMPTY)
  return { index: openPostgresStore(handles[0]).documents, close: keepOpen }
})

it("reports a read-only standby as unhealthy", async () => {
  const own = await server.database()
  const store = openPostgresStore(await openPostgres({ url: own, migrationsDir, log }))
  await store.ping()
  await askPostgres(own, `alter database "${new URL(own).pathname.slice(1)}" set default_transaction_read_only = on`)
  const others = "datname = current_database() and pid <> pg_backend_pid()"
  await askPostgres(own, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
  const pingResult = () => store.ping().then(String, String)
  await expect
    .poll(pingResult, { timeout: 10_000 })
    .toContain("is read-only (a standby, or default_transaction_read_only is set)")
  await store.close()
})

it("submits a job with a transcript in six round trips", async () => {
  const handle = await openPostgres({ url: await server.database(), migrationsDir, log })
  const store = openPostgresStore(handle)
  const sent: string[] = []
  handle.pool.on("acquire", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const [first] = args as [string | { text: string }]
      sent.push((typeof first === "string" ? first : first.text).slice(0, 60))
      return query(...args)
    }) as typeof client.query
  })
  const words = [{ word: "one", start: 0, end: 1, speaker: "0" }]
  await store.jobs.submit(newJob({ transcription: { words, estimated_times: false } }))
  expect(sent.map((text) => text.split(/[ ;]/, 3).join(" "))).toEqual([
    "begin  set",
    'insert into "jobs"',
    'insert into "given_transcripts"',
    'insert into "job_stages"',
    'insert into "outbox"',
    "commit",
  ])
  await store.close()
})
