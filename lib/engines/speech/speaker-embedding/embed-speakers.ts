import { toUnitLength } from "../../../domain/people/recognize.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { SAMPLE_RATE } from "../audio/decode.ts"
import { chooseTurns } from "./choose-turns.ts"
import { collectSpeech } from "./collect-speech.ts"

/** Computes speaker embeddings. Those of embedders with different IDs are not comparable. */
export type SpeakerEmbedder = {
  readonly id: string
  /** Returns the embedding of speech of one speaker (16 kHz), or null if there is too little. */
  embed(pcm: Int16Array, signal: AbortSignal): Promise<Float32Array | null>
  close(): void
}

export type EmbedRequest = {
  /** The path of the recording, a readable regular file. */
  readonly path: string
  readonly words: readonly WordSpan[]
  readonly signal: AbortSignal
}

export type EmbeddedSpeaker = { readonly speaker: string; readonly vector: Float32Array; readonly seconds: number }

/** Computes the embedding of each speaker of a transcript who speaks long enough. @throws AppError if the audio cannot be read */
export const embedSpeakers = async (
  { path, words, signal }: EmbedRequest,
  embedder: SpeakerEmbedder,
): Promise<EmbeddedSpeaker[]> => {
  const turns = chooseTurns(words)
  if (turns.size === 0) return []
  const speech = await collectSpeech(path, turns, signal)
  const embedded: EmbeddedSpeaker[] = []
  for (const [speaker, pcm] of speech) {
    const vector = await embedder.embed(pcm, signal)
    if (vector) embedded.push({ speaker, vector: toUnitLength(vector), seconds: pcm.length / SAMPLE_RATE })
  }
  return embedded
}
