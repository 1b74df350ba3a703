import { AppError } from "../../../domain/errors.ts"
import { programOf } from "./ffmpeg.ts"
import { hasPlainDecoder } from "./package-decoder/index.ts"

/** Why no recording can be decoded here, with what to install; null: one can. */
export const decoderMissing = async (): Promise<string | null> => {
  if (hasPlainDecoder()) return null
  try {
    await Promise.all([programOf("ffmpeg"), programOf("ffprobe")])
    return null
  } catch (error) {
    if (AppError.is(error)) return error.message
    throw error
  }
}
