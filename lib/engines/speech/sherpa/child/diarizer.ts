import { SAMPLE_RATE } from "../../audio/decode.ts"
import type { DiarizedSpeakers, LoadDiarizer } from "../protocol.ts"
import type { Sherpa, SherpaAddon } from "./native.ts"

/** Reduces the diarization error on AMI meetings from 60.7 % (defaults) to 22.6 %, and is five times faster. */
const WINDOW_SHIFT_RATIO = 0.5
const CLUSTERING_THRESHOLD = 0.9
/** Shorter turns are dropped, and shorter pauses within a turn are closed. */
const MIN_SPEECH_S = 0.3
const MIN_PAUSE_S = 0.5
/** A speaker embedding uses this much of the speaker's longest turns. */
const MAX_EMBEDDING_S = 30
const MIN_EMBEDDING_S = 0.5

type Turn = { readonly start: number; readonly end: number }

const turnLength = ({ start, end }: Turn): number => end - start

/** Loads the segmentation and embedding models. Diarizes one part of a recording at a time. */
export const loadDiarizer = (
  { sherpa, addon }: { readonly sherpa: Sherpa; readonly addon: SherpaAddon },
  options: LoadDiarizer & { readonly speakers: number | null },
) => {
  const { threads: numThreads, provider } = options
  const embedding = { model: options.embedding, numThreads, provider, debug: 0 }
  const diarization = new sherpa.OfflineSpeakerDiarization({
    segmentation: {
      pyannote: { model: options.segmentation, windowShiftRatio: WINDOW_SHIFT_RATIO },
      numThreads,
      provider,
      debug: 0,
    },
    embedding,
    clustering: { numClusters: options.speakers ?? -1, threshold: CLUSTERING_THRESHOLD },
    minDurationOn: MIN_SPEECH_S,
    minDurationOff: MIN_PAUSE_S,
  })
  const extractor = new sherpa.SpeakerEmbeddingExtractor(embedding)
  let samples = new Float32Array(0)
  let length = 0

  const computeEmbedding = (turns: readonly Turn[]): Float32Array | null => {
    const stream = extractor.createStream()
    let used_s = 0
    for (const turn of [...turns].sort((a, b) => turnLength(b) - turnLength(a))) {
      if (used_s >= MAX_EMBEDDING_S) break
      const until = Math.min(turn.end, turn.start + MAX_EMBEDDING_S - used_s)
      const audio = samples.slice(
        Math.round(turn.start * SAMPLE_RATE),
        Math.min(Math.round(until * SAMPLE_RATE), length),
      )
      stream.acceptWaveform({ samples: audio, sampleRate: SAMPLE_RATE })
      used_s += audio.length / SAMPLE_RATE
    }
    stream.inputFinished()
    return used_s >= MIN_EMBEDDING_S && extractor.isReady(stream)
      ? Float32Array.from(extractor.compute(stream, false))
      : null
  }

  return {
    collect: (pcm: Int16Array, max: number): void => {
      if (samples.length < max) {
        const larger = new Float32Array(max)
        larger.set(samples.subarray(0, length))
        samples = larger
      }
      const count = Math.min(pcm.length, samples.length - length)
      for (let i = 0; i < count; i++) samples[length + i] = pcm[i]! / 32768
      length += count
    },
    diarize: async (progress: (done: number, total: number) => void): Promise<DiarizedSpeakers> => {
      const part = samples.subarray(0, length)
      const found = await addon.offlineSpeakerDiarizationProcessAsync(diarization.handle, part, (done, total) => {
        progress(done, total)
        return 0
      })
      const bySpeaker = new Map<number, Turn[]>()
      for (const { start, end, speaker } of found) {
        const turn = { start: Math.max(start, 0), end: Math.min(end, length / SAMPLE_RATE) }
        if (turnLength(turn) > 0) bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), turn])
      }
      const speakers = [...bySpeaker.values()].map((turns) => ({ turns, embedding: computeEmbedding(turns) }))
      length = 0
      return speakers
    },
  }
}
export type LoadedDiarizer = ReturnType<typeof loadDiarizer>
