import * as z from "zod"
import type { Logger } from "../../platform/logger.ts"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import { traceModelCall } from "../language/model-call.ts"
import type { ModelRegister } from "../language/openai/models.ts"
import { requestJson } from "../language/openai/request.ts"
import { TooLargeError } from "../language/openai/response-error.ts"
import type { OpenAiServer } from "../language/openai/server.ts"
import type { Embedder } from "../language/types.ts"
import { taskPrefix } from "./task-prefix.ts"
import { createVectorCheck } from "./vectors.ts"

export type OpenAiEmbedderOptions = {
  readonly server: OpenAiServer
  readonly models: ModelRegister
  readonly model: string
  readonly log: Logger
  readonly telemetry?: Telemetry
}

const BATCH_SIZE = 64
/** Shorter texts are not divided further. */
const MIN_PART_CHARS = 50

const responseSchema = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.unknown()) })),
  usage: z.object({ prompt_tokens: z.number().optional() }).nullish().catch(undefined),
})

const splitInTwo = <T extends string | readonly string[]>(items: T): [T, T] => {
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle) as T, items.slice(middle) as T]
}

/** Returns the mean of two vectors at unit length. */
const meanOf = (a: Float32Array, b: Float32Array): Float32Array => {
  const sum = a.map((value, i) => value + b[i]!)
  const length = Math.hypot(...sum)
  return length > 0 ? sum.map((value) => value / length) : a
}

/**
 * Creates an embedder that uses a model on a server with OpenAI's embeddings. Sends 64 texts per call, or fewer if the
 * server takes fewer, and scales vectors to unit length. The vector of a text that is too long is the mean of those of its halves.
 */
export const createOpenAiEmbedder = ({
  server,
  models,
  model,
  log,
  telemetry = noTelemetry,
}: OpenAiEmbedderOptions): Embedder => {
  const check = createVectorCheck(model)

  const request = async (input: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    const started = performance.now()
    const body = { model, input, encoding_format: "float" }
    const parsed = await traceModelCall(
      telemetry,
      { operation: "embeddings", provider: "openai", model, baseUrl: server.base },
      async () => responseSchema.safeParse(await requestJson(server, { path: "/embeddings", body, model }, signal)),
      ({ data }) => ({ input: data?.usage?.prompt_tokens }),
    )
    const items = parsed.success ? [...parsed.data.data] : undefined
    // The specification does not promise the order of the texts.
    if (items?.every(({ index }) => index !== undefined)) items.sort((a, b) => a.index! - b.index!)
    const vectors = check(
      items?.map(({ embedding }) => embedding),
      input.length,
    )
    log.debug({ model, texts: input.length, ms: Math.round(performance.now() - started) }, "embedded")
    return vectors
  }

  const embedAll = async (input: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    try {
      return await request(input, signal)
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error
      if (input.length > 1) {
        const [first, second] = splitInTwo(input)
        return [...(await embedAll(first, signal)), ...(await embedAll(second, signal))]
      }
      const [text] = input
      if (text!.length < 2 * MIN_PART_CHARS) throw error
      const [first, second] = splitInTwo(text!)
      return [meanOf((await embedAll([first], signal))[0]!, (await embedAll([second], signal))[0]!)]
    }
  }

  return {
    name: model,
    isLexical: false,
    embed: async (texts, kind, signal) => {
      if (texts.length > 0) await models.require(model, signal)
      const prefix = taskPrefix(model, kind)
      const vectors: Float32Array[] = []
      for (let i = 0; i < texts.length; i += BATCH_SIZE) {
        const batch = texts.slice(i, i + BATCH_SIZE).map((text) => prefix + text)
        vectors.push(...(await embedAll(batch, signal)))
      }
      return vectors
    },
  }
}
