import type { Choice, ChoiceKind } from "../domain/installation.ts"
import type { JobOptions } from "../domain/jobs/jobs.ts"
import type { Answerer, Embedder, TopicModel } from "./language/types.ts"
import type { Speech } from "./speech/types.ts"

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
