import { estimateWordTimes, joinTokens } from "../transcript/join-tokens.ts"
import { offsetWords, type TimedWord } from "../transcript/words.ts"
import type { Heard } from "./protocol.ts"

/**
 * The words of a recognised segment, in seconds of the recording. Where the model gives no time for each token (Whisper
 * exported without its attention), they are spread over its sentences or the whole segment, and so only estimated.
 */
export const wordsOf = (heard: Heard): { readonly words: TimedWord[]; readonly estimated: boolean } => {
  const { tokens, timestamps, text, sentences, from_s, length_s } = heard
  if (text.trim() === "") return { words: [], estimated: false }
  if (timestamps.length === tokens.length && tokens.length > 0)
    return { words: joinTokens(heard, { from_s, length_s }), estimated: false }
  if (sentences.length === 0) return { words: estimateWordTimes(text, from_s, from_s + length_s), estimated: true }
  const inside = (t: number): number => Math.min(Math.max(t, 0), length_s)
  // One that was not closed by a time (its length is 0 or less) lasts until the next begins, the last one to the end.
  const endOf = (i: number): number => {
    const { start, length } = sentences[i]!
    return length > 0 ? start + length : (sentences[i + 1]?.start ?? length_s)
  }
  const words = sentences.flatMap((s, i) => estimateWordTimes(s.text, inside(s.start), inside(endOf(i))))
  return { words: offsetWords(words, from_s), estimated: true }
}
