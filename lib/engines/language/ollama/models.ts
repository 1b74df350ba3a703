import * as z from "zod"
import type { ModelUse } from "../../../domain/model-servers.ts"
import { isEmbeddingName } from "../embedding-names.ts"
import { callOllama, type OllamaServer } from "./client.ts"

/** A model that an Ollama server has pulled. */
export type PulledModel = { readonly name: string; readonly use: ModelUse; readonly bytes: number | null }

const listedModel = z.object({
  name: z.string(),
  size: z.number().int().nonnegative().optional().catch(undefined),
  details: z
    .object({ family: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

/** Encoders, such as `bert` and `nomic-bert`, only give embeddings. */
const ENCODER_FAMILY = /bert/i

/** Lists the models that an Ollama server has pulled, by name. @throws AppError that says what to do */
export const listPulledModels = async (server: OllamaServer, signal?: AbortSignal): Promise<PulledModel[]> => {
  const { models } = await callOllama(server, "", signal, (client) => client.list())
  return z
    .array(listedModel)
    .catch([])
    .parse(models)
    .map(({ name, size, details }): PulledModel => {
      const isEncoder = ENCODER_FAMILY.test(details?.family ?? "") || isEmbeddingName(name)
      return { name, use: isEncoder ? "embedding" : "language", bytes: size ?? null }
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"))
}
