import { join } from "node:path"
import { openDatabase } from "#lib/db/open.ts"
import { messageOf } from "#lib/errors.ts"
import { packageRoot } from "#lib/package-root.ts"
import { openSqliteStore } from "#lib/store/sqlite/index.ts"
import { newJob } from "#lib/store/testing/fixtures.ts"

/**
 * Opens the database at argv[2], which migrates it, and with `loop` writes jobs without end: each id is printed when
 * its transaction has committed.
 */
const work = async (): Promise<void> => {
  const handle = openDatabase({ path: process.argv[2]!, migrationsDir: join(packageRoot(), "drizzle") })
  if (process.argv[3] === "loop") {
    const store = openSqliteStore(handle)
    for (;;) process.stdout.write(`${(await store.submitJob(newJob())).job_id}\n`)
  }
  handle.close()
}

work().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
})
