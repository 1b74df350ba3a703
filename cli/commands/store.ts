import { existsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { postgresUrl } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { WORKER_STALE_AFTER_MS } from "#lib/services/installation/describe-installation.ts"
import type { Store } from "#lib/storage/stores/ports/store.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"
import { backUpFiles, copyFiles } from "./store-files.ts"
import { checkStore, collectGarbage } from "./store-maintenance.ts"

type Flags = { from: string; to: string }

const places = ({ from, to }: Flags): { path: string; url: string } => {
  const path = /^sqlite:(.+)$/.exec(from)?.[1]
  if (path === undefined)
    throw new AppError("invalid", "--from must be sqlite:PATH, for example sqlite:~/.earmark/earmark.db.")
  const target = postgresUrl.safeParse(to)
  if (!target.success) throw new AppError("invalid", `--to ${target.error.issues[0]?.message}`)
  const file = resolve(path.replace(/^~(?=\/)/, process.env.HOME ?? "~"))
  if (!existsSync(file)) throw new AppError("not_found", `No such file: ${file}`)
  return { path: file, url: to }
}

/** Prints the progress of the current table on stderr. */
const createProgress = (out: NodeJS.WriteStream = process.stderr) => {
  let last = ""
  return (table: string, done: number, total: number): void => {
    if (out.isTTY) out.write(`\r\x1b[2K  ${table.padEnd(18)} ${done} of ${total}`)
    else if (table !== last) out.write(`${table}: ${total}\n`)
    last = table
  }
}

const assertNoWorkers = async (store: Store, place: string): Promise<void> => {
  const running = await store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS })
  if (running.length > 0)
    throw new AppError(
      "conflict",
      `A service is running on ${place} (process ${running.map((w) => w.pid).join(", ")}). Stop it, then copy.`,
    )
}

const copy = async (flags: Flags): Promise<void> => {
  const { path, url } = places(flags)
  const [
    { openSource },
    { openPostgres, countOtherConnections },
    { copyStore },
    { openSqliteStore },
    { openPostgresStore },
  ] = await Promise.all([
    import("#lib/storage/database/open-source.ts"),
    import("#lib/storage/database/postgres/open.ts"),
    import("#lib/storage/stores/copy/copy.ts"),
    import("#lib/storage/stores/sqlite/index.ts"),
    import("#lib/storage/stores/postgres/index.ts"),
  ])
  const log = createLogger("warn", "cli")
  const from = await openSource(path, join(packageRoot(), "drizzle"))
  try {
    await assertNoWorkers(openSqliteStore(from), path)
    const migrationsDir = join(packageRoot(), "drizzle/postgres")
    const to = await openPostgres({ url, migrationsDir, maxConnections: 3, log, allowUnfinishedCopy: true })
    try {
      await assertNoWorkers(openPostgresStore(to), to.location)
      if ((await countOtherConnections(to)) > 0)
        throw new AppError("conflict", `Another Earmark process is connected to ${to.location}. Stop it, then copy.`)
      const show = createProgress()
      const onProgress = (p: { table: string; done: number; total: number }) => show(p.table, p.done, p.total)
      const tables = await copyStore({ from, to, onProgress })
      show("search", 0, 1)
      await openPostgresStore(to).library.prepare()
      if (process.stderr.isTTY) process.stderr.write("\r\x1b[2K")
      const text = tables.map(({ table, rows, checksum }) => `${table.padEnd(18)} ${rows}  ${checksum.slice(0, 12)}`)
      printResult({ to: to.location, tables }, () => [...text, "All rows copied and verified."].join("\n"))
    } finally {
      await to.close()
    }
  } finally {
    from.close()
  }
}

const backUpTo = async (file: string, { files }: { files: boolean }): Promise<void> => {
  const { data } = settings()
  if (data.url !== undefined)
    throw new AppError("invalid", "The store is PostgreSQL. Back it up with pg_dump -Fc (docs/operations.md).")
  if (!existsSync(data.dbPath)) throw new AppError("not_found", `No such file: ${data.dbPath}`)
  const [{ openDatabase }, { backUp }] = await Promise.all([
    import("#lib/storage/database/open.ts"),
    import("#lib/storage/database/backup.ts"),
  ])
  const handle = openDatabase({ path: data.dbPath, migrationsDir: join(packageRoot(), "drizzle") })
  try {
    const to = resolve(file)
    const pages = await backUp(handle, to)
    const bytes = statSync(to).size
    // After the database, so that every recording that it refers to exists.
    const uploads = files ? await backUpFiles(join(dirname(to), "uploads")) : null
    const size = `${to}: ${pages} pages, ${(bytes / 2 ** 20).toFixed(1)} MiB, integrity check passed`
    printResult({ to, pages, bytes, uploads }, () => [size, uploads?.text ?? []].flat().join("\n"))
  } finally {
    handle.close()
  }
}

export const addStore = (program: Command): void => {
  const store = program.command("store").description("check, clean up, copy and back up the store")
  store
    .command("check")
    .description("check the database and uploads, measure the tables, and say what gc would remove")
    .action(checkStore)
  store
    .command("gc")
    .description("say what the settings no longer keep and which uploads nothing refers to; remove it with --yes")
    .option("--yes", "remove it", false)
    .option("--compact", "with --yes: also rewrite the SQLite file without its free pages", false)
    .action(collectGarbage)
  store
    .command("copy")
    .description("copy a SQLite store into an empty PostgreSQL database; an interrupted copy resumes")
    .requiredOption("--from <sqlite:PATH>", "database file; stop the service first")
    .requiredOption("--to <address>", "postgres://user:password@host:5432/database")
    .action(copy)
  store
    .command("backup")
    .description("back up the database, and uploads into uploads/ next to it, while the service runs")
    .argument("<file>", "backup file; must not exist")
    .option("--no-files", "back up only the database")
    .action(backUpTo)
  store
    .command("copy-files")
    .description("copy uploads between folders and buckets; files that exist are skipped")
    .requiredOption("--from <place>", "a folder, or s3://bucket/prefix?endpoint=https://host")
    .requiredOption("--to <place>", "as --from; set SERVICE_BLOB_URL to it afterwards")
    .action(copyFiles)
}
