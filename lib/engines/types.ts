import type { Choice, ChoiceKind } from "../domain/installation.ts"
import type { JobOptions } from "../domain/jobs/jobs.ts"
import type { OutlineRequest, OutlineTopic } from "./language/builtin/outline.ts"
import type { Answerer, Embedder, Summarizer, TopicModel } from "./language/types.ts"
import type { Speech } from "./speech/types.ts"

/**
 * The engines of this installation. The first use of an engine set to `auto` probes the available ones and stores the
 * choice with its reason; later uses read it. Importing or creating the engines probes nothing.
 */
export interface Engines {
  /** Returns the topic model that the job requests, or that of the installation. Probes only if no choice is stored. */
  getTopicModel(options: Pick<JobOptions, "provider" | "llm_model">): Promise<TopicModel>
  /** Returns the summarizer that the request names, or that of the installation. Probes only if no choice is stored. */
  getSummarizer(options: Pick<JobOptions, "provider" | "llm_model">): Promise<Summarizer>
  /** Finds the topics of a transcript with the builtin provider, without summaries. @throws AppError `unavailable` */
  outlineTopics(request: OutlineRequest, signal: AbortSignal): Promise<readonly OutlineTopic[]>
  /** Unloads a language model from the Ollama server. Never throws. */
  releaseModel(model: string): Promise<void>
  /** Returns the embedder of the installation. All points of a map use the same embedding model. */
  getEmbedder(): Promise<Embedder>
  /** Returns the embedder with the name that a choice stores: a provider, or a sentence model. */
  findEmbedder(name: string): Promise<Embedder>
  /** Returns the answerer of the installation's provider. Probes only if no choice is stored. */
  getAnswerer(): Promise<Answerer>
  readonly speech: Speech
  /** Returns the stored choice, and makes it if there is none. */
  getChoice(kind: ChoiceKind): Promise<Choice>
  close(): Promise<void>
}
