import type { DocumentParser } from "../documents/parser.ts"
import type { Engines } from "../engines/types.ts"
import type { Groups } from "../platform/capabilities/types.ts"
import type { Config } from "../platform/config/config.ts"
import type { Logger } from "../platform/logger.ts"
import type { Telemetry } from "../platform/telemetry/types.ts"
import type { Broker } from "../queue/types.ts"
import type { BlobStore } from "../storage/blobs/types.ts"
import type { DocumentIndex } from "../storage/stores/ports/documents.ts"
import type { Store } from "../storage/stores/ports/store.ts"

/** What the services work on, made once a process by the shell that starts it. */
export type Deps = {
  readonly config: Config
  readonly log: Logger
  readonly groups: Groups
  /** Null without group `rag`. */
  readonly store: Store | null
  /** Null without group `broker` or `rag`. */
  readonly broker: Broker | null
  readonly engines: Engines
  /** Recordings and documents that were sent here. */
  readonly blobs: BlobStore
  /** The store's, or one in memory without group `rag`. */
  readonly index: DocumentIndex
  /** Reads files; no process runs before the first that needs one. */
  readonly parser: DocumentParser
  readonly telemetry: Telemetry
  /** Models that this process fetches: null while one is on its way, else the sentence why it did not come. */
  readonly pulls: Map<string, string | null>
}
