import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { AppError } from "../../../domain/errors.ts"
import type { RecogniserModel } from "../sherpa/protocol.ts"

/** The file of a kind, the smaller (8-bit) one of two. */
const pick = (names: readonly string[], pattern: RegExp): string | undefined => {
  const found = names.filter((name) => pattern.test(name)).sort()
  return found.find((name) => name.includes("int8")) ?? found[0]
}

/**
 * How the model in a folder is loaded, by the names of its files: encoder, decoder and joiner are a transducer
 * (Parakeet), encoder and decoder alone are Whisper, one model file is a NeMo CTC model; each with tokens.txt.
 * @throws AppError `invalid` for a folder that holds none of these
 */
export const detectModelFormat = async (folder: string): Promise<RecogniserModel> => {
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
    `${folder} holds no speech model that sherpa-onnx can load: it needs tokens.txt and encoder, decoder and joiner (Parakeet), encoder and decoder (Whisper) or model.onnx (NeMo CTC)`,
  )
}
