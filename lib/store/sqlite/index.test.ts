import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openDatabase } from "../../db/open.ts"
import { packageRoot } from "../../package-root.ts"
import { testStore } from "../testing/store.testsuite.ts"
import type { Store } from "../types.ts"
import { openSqliteStore } from "./index.ts"

testStore("SQLite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "earmark-store-"))
  let time = Date.UTC(2026, 0, 1)
  const now = () => time
  const opened: Store[] = []
  const open = async () => {
    const handle = openDatabase({ path: join(folder, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
    const store = openSqliteStore(handle, { now })
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
      await rm(folder, { recursive: true, force: true })
    },
  }
})
