import { SAMPLE_RATE } from "../../audio/decode.ts"
import type { LoadEmbedder } from "../protocol.ts"
import type { Sherpa } from "./native.ts"

const MIN_SPEECH_S = 0.5

/** Loads a speaker embedding model. Computes one embedding per call. */
export const loadEmbedder = (sherpa: Sherpa, { embedding, threads: numThreads, provider }: LoadEmbedder) => {
  const extractor = new sherpa.SpeakerEmbeddingExtractor({ model: embedding, numThreads, provider, debug: 0 })
  return {
    embed: (pcm: Int16Array): Float32Array | null => {
      if (pcm.length < MIN_SPEECH_S * SAMPLE_RATE) return null
      const stream = extractor.createStream()
      stream.acceptWaveform({ samples: Float32Array.from(pcm, (x) => x / 32768), sampleRate: SAMPLE_RATE })
      stream.inputFinished()
      return extractor.isReady(stream) ? Float32Array.from(extractor.compute(stream, false)) : null
    },
  }
}
export type LoadedEmbedder = ReturnType<typeof loadEmbedder>
