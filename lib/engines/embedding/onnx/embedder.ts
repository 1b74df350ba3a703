import { availableParallelism } from "node:os"
import { capabilityError } from "../../../platform/capabilities/registry.ts"
import type { GroupState } from "../../../platform/capabilities/types.ts"
import type { Logger } from "../../../platform/logger.ts"
import type { Embedder } from "../../language/types.ts"
import { findModel } from "../../models/catalog.ts"
import type { ModelRegistry } from "../../models/registry.ts"
import { createEmbedThread } from "./embed-thread.ts"
import { findSentenceModel } from "./model-settings.ts"

export type OnnxEmbedderOptions = {
  /** A model of the catalog, or the name of a folder in the models folder. */
  readonly model: string
  readonly registry: Pick<ModelRegistry, "ensure">
  /** Returns the state of the group `embed`. */
  readonly group: () => Promise<GroupState>
  readonly log: Logger
  readonly threads?: number
  readonly idleMs?: number
}

export type OnnxEmbedder = Embedder & { close(): Promise<void> }

/** Texts per task of the thread. A query waits for at most one task. */
const TASK_TEXTS = 8
const MAX_THREADS = 4

/**
 * Creates an embedder that runs a sentence model in a thread of this process. The first use downloads the model if it is
 * missing, and verifies its files.
 */
export const createOnnxEmbedder = ({
  model,
  registry,
  group,
  log,
  threads = Math.min(availableParallelism(), MAX_THREADS),
  idleMs,
}: OnnxEmbedderOptions): OnnxEmbedder => {
  const closing = new AbortController()
  const data = async () => {
    const state = await group()
    if (state.state !== "present") throw capabilityError("embed", state)
    const started = performance.now()
    const waiting = () => log.info({ model }, "waiting for another process that is downloading the model")
    const folder = await registry.ensure(model, { signal: closing.signal, progress: () => {}, waiting })
    const files = await findSentenceModel(folder, findModel(model)?.sentence ?? null)
    log.info({ model, threads, ms: Math.round(performance.now() - started) }, "loading an embedding model")
    return { files, threads }
  }
  const thread = createEmbedThread(model, { data, ...(idleMs !== undefined && { idleMs }) })
  return {
    // A server may have a model with the same name, whose vectors differ.
    name: `onnx/${model}`,
    isLexical: false,
    embed: async (texts, kind, signal) => {
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += TASK_TEXTS) {
        signal?.throwIfAborted()
        vectors.push(...(await thread.embed(texts.slice(at, at + TASK_TEXTS), kind)))
      }
      return vectors
    },
    close: async () => {
      closing.abort(new Error("The service is shutting down."))
      await thread.close()
    },
  }
}
