import type { WordSpan } from "#lib/domain/transcript/words.ts"

const MIN_SILENCE_S = 1.2
/** What is left of a pause before and after it, so that words are not cut. */
const MARGIN_S = 0.3

/** Returns the pauses between words that are long enough to skip, as [from, to] in seconds. */
export const listSilences = (words: readonly WordSpan[], duration_s: number): [number, number][] => {
  const silences: [number, number][] = []
  let spokenUntil = 0
  const add = (until: number, margin: number): void => {
    if (until - spokenUntil >= MIN_SILENCE_S) silences.push([spokenUntil + MARGIN_S, until - margin])
  }
  for (const { start, end } of words) {
    add(start, MARGIN_S)
    spokenUntil = Math.max(spokenUntil, end)
  }
  if (words.length > 0) add(duration_s, 0)
  return silences
}
