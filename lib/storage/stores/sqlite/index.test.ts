import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { packageRoot } from "../../../platform/package-root.ts"
import { openDatabase } from "../../database/open.ts"
import { storeFixture } from "../testing/fixtures.ts"
import { testStore } from "../testing/store.testsuite.ts"
import { openSqliteStore } from "./index.ts"

testStore("SQLite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "earmark-store-"))
  const handle = () => openDatabase({ path: join(folder, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  return storeFixture(
    async (now) => openSqliteStore(handle(), { now }),
    () => rm(folder, { recursive: true, force: true }),
  )
})
