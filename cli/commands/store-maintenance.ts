import { join } from "node:path"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { requireStore } from "#lib/services/deps.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { findMissingUploads } from "#lib/services/maintenance/check-uploads.ts"
import { type CleanUp, cleanUp, planCleanUp } from "#lib/services/maintenance/clean-up.ts"
import type { DatabaseHandle } from "#lib/storage/database/open.ts"
import type { Store } from "#lib/storage/stores/ports/store.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"

const LISTED_UPLOADS = 20

const withStore = async (use: (node: Node & { store: Store }) => Promise<void>): Promise<void> => {
  const node = await openNode(settings(), createLogger("warn", "cli"))
  try {
    await use({ ...node, store: requireStore(node) })
  } finally {
    await node.close()
  }
}

const formatMiB = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

const describe = ({ rows, uploads, uploadBytes }: CleanUp): string[] => {
  const parts = [
    [rows.jobs, "ended jobs"],
    [rows.outputs, "stage outputs of finished jobs"],
    [rows.topicRuns, "topic runs"],
    [rows.vectors, "vectors of deleted topics"],
    [rows.speech, "word counts of deleted topics"],
    [rows.idempotencyKeys, "expired idempotency keys"],
  ] as const
  const lines = parts.flatMap(([n, what]) => (n > 0 ? [`${n} ${what}`] : []))
  return uploads > 0 ? [...lines, `${uploads} unused uploads, ${formatMiB(uploadBytes)}`] : lines
}

/** Runs `use` with the SQLite database of the settings, or returns null on PostgreSQL. */
const withSqlite = async <T>(use: (handle: DatabaseHandle) => T): Promise<T | null> => {
  const { data } = settings()
  if (data.url !== undefined) return null
  const { openDatabase } = await import("#lib/storage/database/open.ts")
  const handle = openDatabase({ path: data.dbPath, migrationsDir: join(packageRoot(), "drizzle") })
  try {
    return use(handle)
  } finally {
    handle.close()
  }
}

/** Reports damage, missing uploads, the sizes of the tables and what `gc` would remove. Exits with 1 if something is wrong. */
export const checkStore = (): Promise<void> =>
  withStore(async (node) => {
    const { checkIntegrity } = await import("#lib/storage/database/compact.ts")
    const damage = (await withSqlite(checkIntegrity)) ?? []
    const [missing, removable, tables] = [
      await findMissingUploads(node),
      await planCleanUp(node),
      await node.store.retention.measureTables(),
    ]
    const isSound = damage.length === 0 && missing.length === 0
    printResult({ ok: isSound, damage, missing_uploads: missing, removable, tables }, () =>
      [
        ...damage.map((text) => `Damaged: ${text}`),
        ...missing.slice(0, LISTED_UPLOADS).map((address) => `Missing: ${address}`),
        ...(missing.length > LISTED_UPLOADS ? [`… and ${missing.length - LISTED_UPLOADS} more missing uploads`] : []),
        ...(isSound ? ["No damage, and every upload exists."] : []),
        ...tables.map(({ table, bytes }) => `${table.padEnd(24)} ${formatMiB(bytes)}`),
        ...describe(removable).map((line) => `gc would remove: ${line}`),
      ].join("\n"),
    )
    if (!isSound) process.exitCode = 1
  })

/** Says what the settings no longer keep, and removes it if `yes`. */
export const collectGarbage = ({ yes, compact }: { yes: boolean; compact: boolean }): Promise<void> =>
  withStore(async (node) => {
    const found = yes ? await cleanUp(node) : await planCleanUp(node)
    const sizes = yes && compact ? await withSqlite((await import("#lib/storage/database/compact.ts")).compact) : null
    const lines = describe(found)
    const removed = yes ? "Removed:" : "This would be removed; run again with --yes:"
    printResult({ removed: yes, ...found, ...(sizes && { compacted: sizes }) }, () =>
      [
        ...(lines.length > 0 ? [removed, ...lines.map((line) => `  ${line}`)] : ["Nothing to remove."]),
        ...(sizes ? [`Database file: ${formatMiB(sizes.before)} before, ${formatMiB(sizes.after)} after`] : []),
      ].join("\n"),
    )
  })
