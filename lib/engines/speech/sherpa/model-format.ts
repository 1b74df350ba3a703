import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { AppError } from "../../../domain/errors.ts"
import type { RecognizerModel } from "./protocol.ts"

/** Returns the file that matches, preferring an 8-bit one. */
const pick = (names: readonly string[], pattern: RegExp): string | undefined => {
  const found = names.filter((name) => pattern.test(name)).sort()
  return found.find((name) => name.includes("int8")) ?? found[0]
}

/**
 * Detects the format of a model by its file names. Encoder, decoder and joiner are a transducer (Parakeet); encoder and
 * decoder are Whisper; a single model file is NeMo CTC. All need tokens.txt.
 * @throws AppError `invalid` if the folder contains none of these
 */
export const detectModelFormat = async (folder: string): Promise<RecognizerModel> => {
  const names = await readdir(folder)
  const file = (pattern: RegExp): string | undefined => {
    const name = pick(names, pattern)
    return name && join(folder, name)
  }
  const tokens = file(/tokens\.txt$/)
  const [encoder, decoder, joiner] = [file(/encoder.*\.onnx$/), file(/decoder.*\.onnx$/), file(/joiner.*\.onnx$/)]
  const model = file(/^model.*\.onnx$/)
  if (tokens && encoder && decoder && joiner) return { kind: "transducer", encoder, decoder, joiner, tokens }
  if (tokens && encoder && decoder) return { kind: "whisper", encoder, decoder, tokens }
  if (tokens && model) return { kind: "ctc", model, tokens }
  throw new AppError(
    "invalid",
    `Couldn't find a speech model for sherpa-onnx in ${folder}. It needs tokens.txt and one of: encoder, decoder and joiner (Parakeet); encoder and decoder (Whisper); model.onnx (NeMo CTC).`,
  )
}
