import { once } from "node:events"
import { createReadStream } from "node:fs"
import decodeChunked from "audio-decode/stream"
import { messageOf } from "../../../../domain/errors.ts"
import { createResampler } from "./resample.ts"

/** Decodes a recording without ffmpeg. Writes samples (16 kHz, mono, 16 bit) to stdout and errors to stderr. */
const OUTPUT_RATE = 16_000
const [path = "", format = "", limit_s = "0"] = process.argv.slice(2)

const toMono = (channels: readonly Float32Array[]): Float32Array => {
  const [first = new Float32Array(0)] = channels
  if (channels.length < 2) return first
  return first.map((_, i) => channels.reduce((sum, channel) => sum + channel[i]!, 0) / channels.length)
}

const writeSamples = async (samples: Float32Array): Promise<void> => {
  const bytes = Buffer.alloc(2 * samples.length)
  for (const [i, x] of samples.entries())
    bytes.writeInt16LE(Math.max(-32768, Math.min(32767, Math.round(x * 32768))), 2 * i)
  if (!process.stdout.write(bytes)) await once(process.stdout, "drain")
}

const main = async (): Promise<void> => {
  const resamplers = new Map<number, ReturnType<typeof createResampler>>()
  let last: ReturnType<typeof createResampler> | null = null
  let seconds = 0
  for await (const { channelData, sampleRate } of decodeChunked(createReadStream(path), format as "wav")) {
    const resampler = resamplers.get(sampleRate) ?? createResampler(sampleRate, OUTPUT_RATE)
    resamplers.set(sampleRate, resampler)
    last = resampler
    seconds += (channelData[0]?.length ?? 0) / sampleRate
    if (seconds > Number(limit_s)) throw new Error("it is too long to decode without ffmpeg")
    await writeSamples(resampler.feed(toMono(channelData)))
  }
  if (last) await writeSamples(last.end())
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
})
