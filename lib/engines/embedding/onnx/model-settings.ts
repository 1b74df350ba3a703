import { access, readFile } from "node:fs/promises"
import { join } from "node:path"
import * as z from "zod"
import { AppError } from "../../../domain/errors.ts"

/** How a sentence model turns a text into a vector. */
export type SentenceModelSettings = {
  /** Which vectors of the tokens make that of the text: their mean, or that of the first token. */
  readonly pooling: "mean" | "first"
  /** The maximum number of tokens, special ones included. The rest of a longer text is ignored. */
  readonly maxTokens: number
  /** What the model expects in front of a text. */
  readonly prefixes: Readonly<Record<"document" | "query", string>>
}

/** A sentence model that can be loaded. */
export type SentenceModelFiles = SentenceModelSettings & { readonly model: string; readonly tokenizer: string }

const MODEL_FILES = ["onnx/model_quantized.onnx", "model_quantized.onnx", "onnx/model.onnx", "model.onnx"]
const TOKENIZER_FILE = "tokenizer.json"

const pooling = z.object({ pooling_mode_cls_token: z.boolean().default(false) })
const sentenceBert = z.object({ max_seq_length: z.int().min(8).max(32_768) })
const sentenceTransformers = z.object({
  prompts: z.object({ query: z.string().default(""), document: z.string().optional(), passage: z.string().optional() }),
})

const readJson = async <T>(folder: string, name: string, schema: z.ZodType<T>): Promise<T | null> => {
  const text = await readFile(join(folder, name), "utf8").catch(() => null)
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new AppError(
      "unavailable",
      `Couldn't read ${join(folder, name)}: it is not the configuration of a sentence model. Replace or delete it.`,
      { cause },
    )
  }
}

/** Reads the settings that publishers of sentence-transformers models put beside them. Each file is optional. */
const readSettings = async (folder: string): Promise<SentenceModelSettings> => {
  const [pooled, limits, prompts] = await Promise.all([
    readJson(folder, "1_Pooling/config.json", pooling),
    readJson(folder, "sentence_bert_config.json", sentenceBert),
    readJson(folder, "config_sentence_transformers.json", z.union([sentenceTransformers, z.object({})])),
  ])
  const { query = "", document, passage } = prompts && "prompts" in prompts ? prompts.prompts : {}
  return {
    pooling: pooled?.pooling_mode_cls_token ? "first" : "mean",
    maxTokens: limits?.max_seq_length ?? 512,
    prefixes: { query, document: document ?? passage ?? "" },
  }
}

const firstPresent = async (folder: string, names: readonly string[]): Promise<string | null> => {
  for (const name of names) {
    const path = join(folder, name)
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path
  }
  return null
}

/** Returns true if the folder contains the files of a sentence model. */
export const isSentenceModel = async (folder: string): Promise<boolean> =>
  (await firstPresent(folder, [TOKENIZER_FILE])) !== null && (await firstPresent(folder, MODEL_FILES)) !== null

/**
 * Finds the files of a sentence model.
 * @param settings those of the catalog; null reads them from the folder
 * @throws AppError `unavailable` if a file is missing or its settings cannot be read
 */
export const findSentenceModel = async (
  folder: string,
  settings: SentenceModelSettings | null,
): Promise<SentenceModelFiles> => {
  const [model, tokenizer] = await Promise.all([
    firstPresent(folder, MODEL_FILES),
    firstPresent(folder, [TOKENIZER_FILE]),
  ])
  if (!model || !tokenizer)
    throw new AppError(
      "unavailable",
      `${folder} is not a sentence model: it needs ${TOKENIZER_FILE} and model.onnx (or onnx/model_quantized.onnx).`,
    )
  return { ...(settings ?? (await readSettings(folder))), model, tokenizer }
}
