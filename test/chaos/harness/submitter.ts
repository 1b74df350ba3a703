import { join } from "node:path"
import { messageOf } from "#lib/domain/errors.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openDatabase } from "#lib/storage/database/open.ts"
import { openSqliteStore } from "#lib/storage/stores/sqlite/index.ts"
import { newJob } from "#lib/storage/stores/testing/fixtures.ts"

/**
 * Opens and migrates the database at argv[2]. With `loop` it submits jobs until it is killed, and prints each ID after
 * its transaction has committed.
 */
const work = async (): Promise<void> => {
  const handle = openDatabase({ path: process.argv[2]!, migrationsDir: join(packageRoot(), "drizzle") })
  if (process.argv[3] === "loop") {
    const store = openSqliteStore(handle)
    for (;;) process.stdout.write(`${(await store.jobs.submit(newJob())).job_id}\n`)
  }
  handle.close()
}

work().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
})
