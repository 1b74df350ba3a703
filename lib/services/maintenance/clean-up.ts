import type { Config } from "../../platform/config/config.ts"
import type { OldRows, RetentionLimits } from "../../storage/stores/ports/retention.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"
import { removeUnusedParts } from "../uploads/resumable/parts.ts"
import { findUnusedUploads, removeIfUnused } from "../uploads/unused-uploads.ts"
import { withUploadLock } from "../uploads/upload-lock.ts"

type CleanUpDeps = Pick<Deps, "blobs" | "log" | "index" | "config"> & {
  readonly store: Pick<Store, "outbox" | "uploads" | "people" | "resumableUploads" | "retention">
}

/** What a clean-up removes: rows by kind, and uploads that nothing refers to. */
export type CleanUp = { readonly rows: OldRows; readonly uploads: number; readonly uploadBytes: number }

const NO_ROWS: OldRows = { jobs: 0, outputs: 0, topicRuns: 0, vectors: 0, speech: 0, idempotencyKeys: 0 }

const limitsOf = ({ retention }: Config): RetentionLimits => retention.rows

const add = (a: OldRows, b: OldRows): OldRows => ({
  jobs: a.jobs + b.jobs,
  outputs: a.outputs + b.outputs,
  topicRuns: a.topicRuns + b.topicRuns,
  vectors: a.vectors + b.vectors,
  speech: a.speech + b.speech,
  idempotencyKeys: a.idempotencyKeys + b.idempotencyKeys,
})

/** Returns what `cleanUp` would remove. Uploads of jobs that it would delete are counted only afterwards. */
export const planCleanUp = async (deps: CleanUpDeps): Promise<CleanUp> => {
  let uploads = 0
  let uploadBytes = 0
  for await (const { bytes } of findUnusedUploads(deps)) {
    uploads++
    uploadBytes += bytes
  }
  return { rows: await deps.store.retention.count(limitsOf(deps.config)), uploads, uploadBytes }
}

/** Deletes what the settings do not keep, rows in short transactions, then uploads that nothing refers to. */
export const cleanUp = async (deps: CleanUpDeps, isStopping: () => boolean = () => false): Promise<CleanUp> => {
  let rows = NO_ROWS
  for (;;) {
    const deleted = await deps.store.retention.deleteBatch(limitsOf(deps.config))
    rows = add(rows, deleted)
    if (isStopping() || Object.values(deleted).every((n) => n === 0)) break
  }
  if (!deps.config.speech.speakers.embeddings) await deps.store.people.deleteEmbeddings()
  await deps.store.resumableUploads.removeExpired()
  await removeUnusedParts(deps)
  let uploads = 0
  let uploadBytes = 0
  for await (const { key, bytes } of findUnusedUploads(deps)) {
    if (isStopping()) break
    if (!(await withUploadLock(deps.store, key, () => removeIfUnused(deps, key)))) continue
    uploads++
    uploadBytes += bytes
  }
  return { rows, uploads, uploadBytes }
}
