import * as z from "zod"
import type { Logger } from "../../platform/logger.ts"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import { traceModelCall } from "../language/model-call.ts"
import { callOllama, KEEP_ALIVE, readUsage } from "../language/ollama/client.ts"
import type { Embedder } from "../language/types.ts"
import { taskPrefix } from "./task-prefix.ts"
import { createVectorCheck } from "./vectors.ts"

export type OllamaEmbedderOptions = {
  readonly baseUrl: string
  readonly model: string
  /** Timeout of one batch, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Logger
  readonly telemetry?: Telemetry
}

const BATCH_SIZE = 64

const responseSchema = z.object({ embeddings: z.array(z.array(z.unknown())) })

/** Creates an embedder that uses a model on an Ollama server. Sends 64 texts per call and scales vectors to unit length. */
export const createOllamaEmbedder = ({
  baseUrl,
  model,
  timeoutMs,
  log,
  telemetry = noTelemetry,
}: OllamaEmbedderOptions): Embedder => {
  const server = { baseUrl, timeoutMs }
  const check = createVectorCheck(model)

  const embedBatch = async (input: string[], signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    const started = performance.now()
    const body = await traceModelCall(
      telemetry,
      { operation: "embeddings", provider: "ollama", model, baseUrl },
      () => callOllama(server, model, signal, (client) => client.embed({ model, input, keep_alive: KEEP_ALIVE })),
      readUsage,
    )
    const parsed = responseSchema.safeParse(body)
    const vectors = check(parsed.data?.embeddings, input.length)
    log.debug({ model, texts: input.length, ms: Math.round(performance.now() - started) }, "embedded")
    return vectors
  }

  return {
    name: model,
    isLexical: false,
    embed: async (texts, kind, signal) => {
      const prefix = taskPrefix(model, kind)
      const vectors: Float32Array[] = []
      for (let i = 0; i < texts.length; i += BATCH_SIZE) {
        const batch = texts.slice(i, i + BATCH_SIZE).map((text) => prefix + text)
        vectors.push(...(await embedBatch(batch, signal)))
      }
      return vectors
    },
  }
}
