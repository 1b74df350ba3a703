import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { expect, it, onTestFinished } from "vitest"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openDatabase } from "#lib/storage/database/open.ts"
import { openPostgres } from "#lib/storage/database/postgres/open.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { openSqliteStore } from "#lib/storage/stores/sqlite/index.ts"
import { transcriptOf } from "#lib/storage/stores/testing/fixtures.ts"
import { migrationsDir } from "#test/fixtures/postgres.ts"
import { openPostgresServer } from "#test/fixtures/shared-servers.ts"

const fragment = fc.constantFrom(
  "can",
  "t",
  "s",
  "garden",
  "gardening",
  "moon",
  "generous",
  "3",
  "5",
  "ä",
  "ß",
  "ﬁ",
  "½",
  "日本",
  "İ",
)
const separator = fc.constantFrom("'", "’", "-", ".", "_", "", "🐟")
const word = fc
  .array(fc.tuple(fragment, separator), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([p, s], i) => p + (i < parts.length - 1 ? s : "")).join(""))
const words = (maxLength: number) => fc.array(word, { minLength: 1, maxLength }).map((all) => all.join(" "))

it("finds and highlights the same results on SQLite and PostgreSQL, in the same order", async () => {
  const server = await openPostgresServer()
  onTestFinished(() => server.close())
  const dir = mkdtempSync(join(tmpdir(), "earmark-alike-"))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const sqlite = openSqliteStore(
    openDatabase({ path: join(dir, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") }),
  )
  const log = createLogger("silent", "test")
  const postgres = openPostgresStore(await openPostgres({ url: await server.database(), migrationsDir, log }))
  const stores = [sqlite, postgres] as const
  onTestFinished(async () => {
    for (const store of stores) await store.close()
  })
  let clips = 0
  const property = fc.asyncProperty(
    fc.array(fc.tuple(words(4), words(6)), { minLength: 1, maxLength: 4 }),
    fc.array(words(2), { minLength: 3, maxLength: 6 }),
    async (library, queries) => {
      for (const [title, text] of library) {
        const id = `clip-${String(clips++).padStart(4, "0")}`
        for (const store of stores) {
          await store.clips.saveTranscript(id, { title, source_url: null, file_path: null }, transcriptOf(text))
          await store.library.prepare()
        }
      }
      for (const q of queries) {
        const [fromSqlite, fromPostgres] = await Promise.all(
          stores.map((store) => store.library.search({ q, limit: 50 })),
        )
        expect([q, fromPostgres]).toEqual([q, fromSqlite])
      }
    },
  )
  // Recordings accumulate, so a shrunk example would search another library.
  await fc.assert(property, { numRuns: 25, endOnFailure: true })
})
