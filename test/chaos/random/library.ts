import { mkdirSync, utimesSync } from "node:fs"
import { join } from "node:path"
import type { VizCompute } from "#lib/map/types.ts"
import type { Deps } from "#lib/services/deps.ts"
import type { Store } from "#lib/storage/stores/ports/store.ts"

/** Where a worker dies: between claim and result, between result and acknowledgement, or between publishing and recording it. */
export const KILL_POINTS = ["claim", "commit", "publish"] as const
export type KillPoint = (typeof KILL_POINTS)[number]

/** The workers of an installation. */
export type Workers = {
  /** Lets the workers process about this many messages. */
  work(messages: number): Promise<void>
  /** Kills a worker and starts another one. */
  kill(point: KillPoint): Promise<void>
  /** Works until every job has ended and no message is left. */
  settle(): Promise<void>
}

/** A text that occurs in a table. */
export type Occurrence = { readonly table: string; readonly text: string }

/** An installation under random operations. */
export type Library = {
  readonly deps: Deps & { readonly store: Store; readonly viz: VizCompute }
  readonly workers: Workers
  /** A folder that may be ingested. */
  readonly folder: string
  /** Finds texts in the rows of every table. */
  readonly findInTables: (texts: readonly string[]) => Promise<Occurrence[]>
  /** Operations that nobody waits for until the library settles. */
  readonly background: Promise<unknown>[]
}

export const createFolder = (dir: string): string => {
  const folder = join(dir, "notes")
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Longer than the age at which an upload that nothing refers to is removed. */
const OLD_MS = 2 * 3_600_000

/** Makes all uploads look old, so that a clean-up removes those that nothing refers to. */
export const ageUploads = async ({ deps: { blobs } }: Library): Promise<void> => {
  const old = new Date(Date.now() - OLD_MS)
  for await (const { key } of blobs.list("")) utimesSync(blobs.addressOf(key), old, old)
}
