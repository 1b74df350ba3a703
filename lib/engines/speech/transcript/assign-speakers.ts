import { partitionPoint } from "../../../domain/partition-point.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { SpeakerTurn } from "../types.ts"

/** A word that no turn covers belongs to the nearest turn within so many seconds. */
const REACH_S = 1
/** A word so short, alone between words of one other voice, is that voice's. */
const FLICKER_S = 0.4
const SENTENCE_END = /[.!?…。！？]["'”’)\]]*$/

/** Turns by their start, and for each the latest end of any up to it, so that a search can stop early. */
const indexed = (turns: readonly SpeakerTurn[]) => {
  const sorted = turns.filter((t) => t.end > t.start).sort((a, b) => a.start - b.start)
  let latest = Number.NEGATIVE_INFINITY
  const latestEnd = sorted.map((t) => {
    latest = Math.max(latest, t.end)
    return latest
  })
  return { sorted, latestEnd }
}

/** The voice with the most sound within the word; without any, the nearest one within reach; else null. */
const voiceAt = (
  { sorted, latestEnd }: ReturnType<typeof indexed>,
  { start, end }: { readonly start: number; readonly end: number },
): number | null => {
  const first = partitionPoint(sorted.length, (i) => latestEnd[i]! < start - REACH_S)
  const shared = new Map<number, number>()
  let nearest: { speaker: number; away: number } | null = null
  for (let i = first; i < sorted.length && sorted[i]!.start <= end + REACH_S; i++) {
    const turn = sorted[i]!
    const overlap = Math.min(end, turn.end) - Math.max(start, turn.start)
    if (overlap > 0) shared.set(turn.speaker, (shared.get(turn.speaker) ?? 0) + overlap)
    else if (-overlap <= REACH_S && (nearest === null || -overlap < nearest.away))
      nearest = { speaker: turn.speaker, away: -overlap }
  }
  let best: number | null = null
  for (const [speaker, overlap] of shared) if (best === null || overlap > shared.get(best)!) best = speaker
  return best ?? nearest?.speaker ?? null
}

/** A single short word of another voice within one voice's sentence is a flicker of the diarizer, not a turn. */
const smooth = (words: readonly WordSpan[], voices: (number | null)[]): void => {
  for (let i = 1; i + 1 < words.length; i++) {
    const around = voices[i - 1]!
    if (voices[i] === around || voices[i + 1] !== around) continue
    const word = words[i]!
    const isSentence = SENTENCE_END.test(word.word) && SENTENCE_END.test(words[i - 1]!.word)
    if (word.end - word.start < FLICKER_S && !isSentence) voices[i] = around
  }
}

/**
 * Gives each word the voice that sounds most during it. Words, not segments of the recogniser: those mix voices, and
 * labelling them whole is worse than one label for all. A word without sound of any turn takes the nearest, else the voice of
 * the word before it. Speakers are "0", "1"… in the order in which they first speak. Words and times stay as they are.
 * Method: WhisperX's assign_word_speakers, with smoothing.
 */
export const assignSpeakers = (words: readonly WordSpan[], turns: readonly SpeakerTurn[]): WordSpan[] => {
  const index = indexed(turns)
  const voices = words.map((word) => voiceAt(index, word))
  for (let i = 1; i < voices.length; i++) voices[i] ??= voices[i - 1]!
  const first = voices.find((voice) => voice !== null) ?? 0
  for (let i = 0; i < voices.length; i++) voices[i] ??= first
  smooth(words, voices)
  const numbers = new Map<number, string>()
  return words.map((word, i) => {
    const voice = voices[i]!
    if (!numbers.has(voice)) numbers.set(voice, String(numbers.size))
    return { ...word, speaker: numbers.get(voice)! }
  })
}
