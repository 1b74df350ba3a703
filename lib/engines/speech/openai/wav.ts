import { SAMPLE_RATE } from "../audio/decode.ts"
import type { FormFile } from "./form.ts"

const CHUNK_BYTES = 1 << 16

/** Returns samples at 16 kHz as a WAV file, generated while it is sent. */
export const wavFile = (pcm: Int16Array): FormFile => {
  const bytes = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  const head = Buffer.alloc(44)
  head.write("RIFF")
  head.writeUInt32LE(36 + bytes.length, 4)
  head.write("WAVEfmt ", 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(SAMPLE_RATE, 24)
  head.writeUInt32LE(2 * SAMPLE_RATE, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write("data", 36)
  head.writeUInt32LE(bytes.length, 40)
  return {
    name: "audio.wav",
    type: "audio/wav",
    bytes: head.length + bytes.length,
    content: async function* () {
      yield head
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
    },
  }
}
