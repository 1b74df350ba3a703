import type { BlobStore } from "../blobs/types.ts"
import type { Broker } from "../broker/types.ts"
import type { Config } from "../config.ts"
import type { JobOptions } from "../contracts/jobs.ts"
import type { DocumentParser } from "../documents/parser.ts"
import type { Logger } from "../logger.ts"
import type { Answerer, Embedder, TopicModel } from "../models/types.ts"
import type { Speech } from "../speech/types.ts"
import type { DocumentIndex } from "../store/search/types.ts"
import type { Choice, ChoiceKind, Store } from "../store/types.ts"
import type { Telemetry } from "../telemetry/types.ts"

/**
 * The engines of this installation. `auto` is resolved once: the first to ask probes what there is and writes the
 * choice with its reason to the store; everyone later reads it. Nothing is probed at import or construction.
 */
export interface Engines {
  /** The topic model of a job: its own wish, else the installation's. Contacts no server once the choice stands. */
  topicsFor(options: Pick<JobOptions, "provider" | "llm_model">): Promise<TopicModel>
  /** Frees a language model by name, after the last run that used it. Never throws. */
  release(model: string): Promise<void>
  /** The embedder of the installation: one map, one embedding model. */
  embedder(): Promise<Embedder>
  /** Answers questions: the installation's provider. Contacts no server once the choice stands. */
  answerer(): Promise<Answerer>
  readonly speech: Speech
  /** The choice that stands, made now if there is none yet. */
  choice(kind: ChoiceKind): Promise<Choice>
  close(): Promise<void>
}

/** Whether an optional group of packages can be used, and if not, what to say. */
export type GroupState =
  | { readonly state: "present" }
  | { readonly state: "missing" | "broken" | "disabled"; readonly detail: string; readonly install: string }

/** What the services work on, made once a process by the shell that starts it. */
export type Deps = {
  readonly config: Config
  readonly log: Logger
  readonly groups: Readonly<Record<"rag" | "broker" | "audio" | "telemetry" | "postgres" | "s3", GroupState>>
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
