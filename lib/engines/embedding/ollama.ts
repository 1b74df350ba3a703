import * as z from "zod"
import { AppError } from "../../domain/errors.ts"
import type { Logger } from "../../platform/logger.ts"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import { traceModelCall } from "../language/model-call.ts"
import { callOllama, KEEP_ALIVE, readUsage } from "../language/ollama/client.ts"
import type { Embedder } from "../language/types.ts"

export type OllamaEmbedderOptions = {
  readonly baseUrl: string
  readonly model: string
  /** Timeout of one batch, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Logger
  readonly telemetry?: Telemetry
}

const BATCH_SIZE = 64

/** Task prefixes of Nomic's models (Nussbaum et al. 2024). Other models do not use them. */
const NOMIC_PREFIXES = { document: "search_document: ", query: "search_query: " } as const

const responseSchema = z.object({ embeddings: z.array(z.array(z.number())) })

/** Scales a vector to unit length. Returns null for a vector that has none. */
const normalizeVector = (vector: readonly number[]): Float32Array | null => {
  const length = Math.hypot(...vector)
  return length > 0 && Number.isFinite(length) ? Float32Array.from(vector, (v) => v / length) : null
}

/** Creates an embedder that uses a model on an Ollama server. Sends 64 texts per call and scales vectors to unit length. */
export const createOllamaEmbedder = ({
  baseUrl,
  model,
  timeoutMs,
  log,
  telemetry = noTelemetry,
}: OllamaEmbedderOptions): Embedder => {
  const server = { baseUrl, timeoutMs }
  const usesPrefixes = /nomic/i.test(model)
  let dimensions: number | undefined

  const createInvalidResponseError = (what: string) =>
    new AppError(
      "unavailable",
      `The embedding model '${model}' ${what}. Try again, or set SERVICE_EMBED_MODEL to another model.`,
      {
        retry: "retry",
      },
    )

  const embedBatch = async (input: string[], signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    const started = performance.now()
    const body = await traceModelCall(
      telemetry,
      { operation: "embeddings", provider: "ollama", model, baseUrl },
      () => callOllama(server, model, signal, (client) => client.embed({ model, input, keep_alive: KEEP_ALIVE })),
      readUsage,
    )
    const parsed = responseSchema.safeParse(body)
    if (!parsed.success) throw createInvalidResponseError("returned no vectors")
    const { embeddings } = parsed.data
    if (embeddings.length !== input.length)
      throw createInvalidResponseError(`returned ${embeddings.length} vectors for ${input.length} texts`)
    log.debug({ model, texts: input.length, ms: Math.round(performance.now() - started) }, "embedded")
    return embeddings.map((vector) => {
      dimensions ??= vector.length
      if (vector.length !== dimensions)
        throw createInvalidResponseError(`returned ${vector.length} dimensions instead of ${dimensions}`)
      const scaled = normalizeVector(vector)
      if (!scaled) throw createInvalidResponseError("returned a vector of length zero")
      return scaled
    })
  }

  return {
    name: model,
    maxUnrelatedSimilarity: 0,
    isLexical: false,
    embed: async (texts, kind, signal) => {
      const prefix = usesPrefixes ? NOMIC_PREFIXES[kind] : ""
      const vectors: Float32Array[] = []
      for (let i = 0; i < texts.length; i += BATCH_SIZE) {
        const batch = texts.slice(i, i + BATCH_SIZE).map((text) => prefix + text)
        vectors.push(...(await embedBatch(batch, signal)))
      }
      return vectors
    },
  }
}
