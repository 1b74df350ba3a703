import type { DocumentParser } from "../documents/parser.ts"
import type { ExportableClip } from "../domain/export/clip-text.ts"
import type { DocumentFormat } from "../domain/export/index.ts"
import type { ModelPull } from "../engines/models/types.ts"
import type { Engines } from "../engines/types.ts"
import { capabilityError } from "../platform/capabilities/registry.ts"
import type { Groups } from "../platform/capabilities/types.ts"
import type { Config } from "../platform/config/config.ts"
import type { Logger } from "../platform/logger.ts"
import type { Telemetry } from "../platform/telemetry/types.ts"
import type { Broker } from "../queue/types.ts"
import type { BlobStore } from "../storage/blobs/types.ts"
import type { DocumentIndex } from "../storage/stores/ports/documents.ts"
import type { IdempotencyStore } from "../storage/stores/ports/idempotency.ts"
import type { Store } from "../storage/stores/ports/store.ts"
import type { ContentCache } from "./documents/content-cache.ts"

/**
 * Writes a clip as a Word or PDF document, in a child process with limits on time and memory.
 * @throws AppError `too_large` beyond the limits, `invalid` if the font of PDF documents lacks the characters of the clip,
 *   `unavailable` if no process becomes free in time
 */
export type RenderDocument = (format: DocumentFormat, clip: ExportableClip, signal: AbortSignal) => Promise<Uint8Array>

/** The dependencies of the service functions. Each process opens them once; see `openNode`. */
export type Deps = {
  readonly config: Config
  readonly log: Logger
  readonly groups: Groups
  /** Null without group `rag`. */
  readonly store: Store | null
  /** Null without group `broker` or `rag`. */
  readonly broker: Broker | null
  readonly engines: Engines
  /** Uploaded recordings and documents. */
  readonly blobs: BlobStore
  /** The index of the store, or an in-memory index without group `rag`. */
  readonly index: DocumentIndex
  /** The keys in the store, or keys in memory without group `rag`. */
  readonly idempotency: IdempotencyStore
  /** Starts its child process with the first file that needs it. */
  readonly parser: DocumentParser
  /** The content of the documents that were shown last. */
  readonly contents: ContentCache
  readonly renderDocument: RenderDocument
  readonly telemetry: Telemetry
  /** Model downloads of this process by model name: null while one runs, otherwise the reason of its failure. */
  readonly modelDownloads: Map<string, string | null>
  /** Pulls of this process through Ollama, by the full name of the model. Finished ones are removed. */
  readonly modelPulls: Map<string, ModelPull>
}

/** Returns the store. @throws AppError `capability_missing` without group `rag` */
export const requireStore = (deps: Pick<Deps, "store" | "groups">): Store => {
  if (deps.store === null) throw capabilityError("rag", deps.groups.rag)
  return deps.store
}

const BLOB_CHECK_TIMEOUT_MS = 10_000

/** Checks that the blob storage is available, so that blobs can be removed. @throws AppError `unavailable` */
export const requireBlobs = async ({ blobs }: Pick<Deps, "blobs">): Promise<void> => {
  await blobs.check(AbortSignal.timeout(BLOB_CHECK_TIMEOUT_MS))
}
