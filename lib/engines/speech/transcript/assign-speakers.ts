import { partitionPoint } from "../../../domain/partition-point.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { SpeakerTurn } from "../types.ts"

/** A word outside all turns gets the speaker of the nearest turn within this distance. */
const MAX_GAP_S = 1
/** A shorter word between words of one other speaker gets that speaker. */
const MAX_FLICKER_S = 0.4
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*$/

/** Sorts turns by start and adds the latest end among each turn and those before it, which bounds the search. */
const indexTurns = (turns: readonly SpeakerTurn[]) => {
  const sorted = turns.filter((t) => t.end > t.start).sort((a, b) => a.start - b.start)
  let latest = Number.NEGATIVE_INFINITY
  const latestEnd = sorted.map((t) => {
    latest = Math.max(latest, t.end)
    return latest
  })
  return { sorted, latestEnd }
}

/** Returns the speaker with the longest overlap with the word, else the nearest one within `MAX_GAP_S`, else null. */
const findSpeaker = (
  { sorted, latestEnd }: ReturnType<typeof indexTurns>,
  { start, end }: { readonly start: number; readonly end: number },
): number | null => {
  const first = partitionPoint(sorted.length, (i) => latestEnd[i]! < start - MAX_GAP_S)
  const shared = new Map<number, number>()
  let nearest: { speaker: number; distance: number } | null = null
  for (let i = first; i < sorted.length && sorted[i]!.start <= end + MAX_GAP_S; i++) {
    const turn = sorted[i]!
    const overlap = Math.min(end, turn.end) - Math.max(start, turn.start)
    if (overlap > 0) shared.set(turn.speaker, (shared.get(turn.speaker) ?? 0) + overlap)
    else if (-overlap <= MAX_GAP_S && (nearest === null || -overlap < nearest.distance))
      nearest = { speaker: turn.speaker, distance: -overlap }
  }
  let best: number | null = null
  for (const [speaker, overlap] of shared) if (best === null || overlap > shared.get(best)!) best = speaker
  return best ?? nearest?.speaker ?? null
}

/** Reassigns single short words of another speaker within one speaker's sentence. They are errors of the diarizer. */
const removeFlicker = (words: readonly WordSpan[], speakers: (number | null)[]): void => {
  for (let i = 1; i + 1 < words.length; i++) {
    const neighbor = speakers[i - 1]!
    if (speakers[i] === neighbor || speakers[i + 1] !== neighbor) continue
    const word = words[i]!
    const isSentence = SENTENCE_END.test(word.word) && SENTENCE_END.test(words[i - 1]!.word)
    if (word.end - word.start < MAX_FLICKER_S && !isSentence) speakers[i] = neighbor
  }
}

/**
 * Assigns each word the speaker with the longest overlap. It works on words, because recognizer segments may contain
 * several speakers. A word without overlap gets the nearest speaker, else the speaker of the word before. Speakers are
 * numbered "0", "1" … by first appearance. Words and times do not change. The method is WhisperX's assign_word_speakers
 * with smoothing.
 */
export const assignSpeakers = (words: readonly WordSpan[], turns: readonly SpeakerTurn[]): WordSpan[] => {
  const index = indexTurns(turns)
  const speakers = words.map((word) => findSpeaker(index, word))
  for (let i = 1; i < speakers.length; i++) speakers[i] ??= speakers[i - 1]!
  const first = speakers.find((speaker) => speaker !== null) ?? 0
  for (let i = 0; i < speakers.length; i++) speakers[i] ??= first
  removeFlicker(words, speakers)
  const numbers = new Map<number, string>()
  return words.map((word, i) => {
    const speaker = speakers[i]!
    if (!numbers.has(speaker)) numbers.set(speaker, String(numbers.size))
    return { ...word, speaker: numbers.get(speaker)! }
  })
}
