import { z } from "zod"
import { AppError } from "../../domain/errors.ts"
import type { Logger } from "../../platform/logger.ts"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import { callModel } from "../language/model-call.ts"
import { KEEP_ALIVE } from "../language/ollama/ask.ts"
import { callOllama, usageOf } from "../language/ollama/client.ts"
import type { Embedder } from "../language/types.ts"

export type OllamaEmbedderOptions = {
  readonly baseUrl: string
  readonly model: string
  /** Limit of one batch, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Logger
  readonly telemetry?: Telemetry
}

const BATCH = 64

/** Nomic's models are trained with these words in front (Nussbaum et al. 2024); others know nothing of them. */
const NOMIC_PREFIX = { document: "search_document: ", query: "search_query: " } as const

const answer = z.object({ embeddings: z.array(z.array(z.number())) })

const unit = (vector: readonly number[]): Float32Array | null => {
  const length = Math.hypot(...vector)
  return length > 0 && Number.isFinite(length) ? Float32Array.from(vector, (v) => v / length) : null
}

/** Vectors by an embedding model on an Ollama server, 64 texts a call, scaled to unit length. */
export const createOllamaEmbedder = ({
  baseUrl,
  model,
  timeoutMs,
  log,
  telemetry = noTelemetry,
}: OllamaEmbedderOptions): Embedder => {
  const server = { baseUrl, timeoutMs }
  const prefixed = /nomic/i.test(model)
  let dimensions: number | undefined

  const wrong = (what: string) =>
    new AppError("unavailable", `The embedding model '${model}' ${what}. Try again, or set SERVICE_EMBED_MODEL.`, {
      retry: "retry",
    })

  const embedBatch = async (input: string[], signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    const started = performance.now()
    const body = await callModel(
      telemetry,
      { operation: "embeddings", provider: "ollama", model, baseUrl },
      () => callOllama(server, model, signal, (client) => client.embed({ model, input, keep_alive: KEEP_ALIVE })),
      usageOf,
    )
    const parsed = answer.safeParse(body)
    if (!parsed.success) throw wrong("answered without vectors")
    const { embeddings } = parsed.data
    if (embeddings.length !== input.length) throw wrong(`gave ${embeddings.length} vectors for ${input.length} texts`)
    log.debug({ model, texts: input.length, ms: Math.round(performance.now() - started) }, "embedded")
    return embeddings.map((vector) => {
      dimensions ??= vector.length
      if (vector.length !== dimensions)
        throw wrong(`gave ${vector.length} dimensions where it gave ${dimensions} before`)
      const scaled = unit(vector)
      if (!scaled) throw wrong("gave a vector without a direction")
      return scaled
    })
  }

  return {
    name: model,
    unrelated: 0,
    embed: async (texts, kind, signal) => {
      const prefix = prefixed ? NOMIC_PREFIX[kind] : ""
      const vectors: Float32Array[] = []
      for (let i = 0; i < texts.length; i += BATCH) {
        const batch = texts.slice(i, i + BATCH).map((text) => prefix + text)
        vectors.push(...(await embedBatch(batch, signal)))
      }
      return vectors
    },
  }
}
