import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { packageRoot } from "../../../platform/package-root.ts"
import { openDatabase } from "../../database/open.ts"
import { transcriptOf } from "../testing/fixtures.ts"
import { openSqliteStore } from "./index.ts"

const folder = mkdtempSync(join(tmpdir(), "earmark-broken-"))
afterAll(() => rmSync(folder, { recursive: true }))

it("reports a clip with an unreadable transcript and still finds all others", async () => {
  const handle = openDatabase({ path: join(folder, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  const store = openSqliteStore(handle)
  const named = (title: string) => ({ title, source_url: null, file_path: null })
  await store.clips.saveTranscript("broken", named("broken"), transcriptOf("a boat"))
  await store.clips.saveTranscript("whole", named("whole"), transcriptOf("a boat"))
  handle.raw.prepare("update transcripts set words = '[{' where clip_id = 'broken'").run()
  await expect(store.library.prepare()).rejects.toThrow(/JSON/)
  expect((await store.library.search({ q: "boat", limit: 10 })).words.map((hit) => hit.clip_id)).toEqual(["whole"])
  await store.close()
})
