import type { ClipStore } from "./clips.ts"
import type { DocumentIndex } from "./documents.ts"
import type { IdempotencyStore } from "./idempotency.ts"
import type { InstallationStore } from "./installation.ts"
import type { JobStore } from "./jobs.ts"
import type { LibraryStore } from "./library.ts"
import type { MapStore } from "./map.ts"
import type { NoteStore } from "./notes.ts"
import type { OutboxStore } from "./outbox.ts"
import type { PeopleStore } from "./people.ts"
import type { ReplacementStore } from "./replacements.ts"
import type { ResourceStore } from "./resources.ts"
import type { ResumableUploadStore } from "./resumable-uploads.ts"
import type { RetentionStore } from "./retention.ts"
import type { SavedViewStore } from "./saved-views.ts"
import type { ShareStore } from "./shares.ts"
import type { StageStore } from "./stages.ts"
import type { SummaryStore } from "./summaries.ts"
import type { ThreadStore } from "./threads.ts"
import type { TokenStore } from "./tokens.ts"
import type { TopicStore } from "./topics.ts"
import type { UploadStore } from "./uploads.ts"
import type { VocabularyStore } from "./vocabulary.ts"
import type { WebhookStore } from "./webhooks.ts"

/**
 * An open database, with one port per aggregate.
 *
 * Each method runs in one transaction. It throws AppError `unavailable` if the database stays locked past its busy
 * timeout and `storage_full` if the disk is full, and nothing else in these two cases. Times are Unix milliseconds.
 */
export interface Store {
  readonly kind: string
  /** Explains to an operator what works less well than it could; null if nothing does. */
  readonly degradedReason: string | null

  readonly jobs: JobStore
  readonly stages: StageStore
  readonly outbox: OutboxStore
  readonly resources: ResourceStore
  readonly clips: ClipStore
  readonly uploads: UploadStore
  readonly resumableUploads: ResumableUploadStore
  readonly topics: TopicStore
  readonly people: PeopleStore
  readonly library: LibraryStore
  readonly map: MapStore
  readonly documents: DocumentIndex
  readonly installation: InstallationStore
  readonly retention: RetentionStore
  readonly idempotency: IdempotencyStore
  readonly savedViews: SavedViewStore
  readonly tokens: TokenStore
  readonly shares: ShareStore
  readonly notes: NoteStore
  readonly vocabulary: VocabularyStore
  readonly summaries: SummaryStore
  readonly threads: ThreadStore
  readonly replacements: ReplacementStore
  readonly webhooks: WebhookStore

  /** Returns the time of the clock that all stored times come from. It may differ from the clock of this host. */
  now(): Promise<number>
  /** Throws if the database cannot be read or is read-only. A full disk shows only at a write. */
  ping(): Promise<void>
  close(): Promise<void>
}
