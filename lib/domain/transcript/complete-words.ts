import type { TimedWord } from "./words.ts"

type Untimed = { readonly start?: number | null | undefined; readonly end?: number | null | undefined }

/**
 * Fills missing starts and ends from the neighboring items.
 * @param from_s the earliest start
 * @param to_s the latest end
 */
export const fillMissingTimes = <T extends Untimed>(items: readonly T[], from_s: number, to_s: number) => {
  const nextStarts: number[] = []
  let next = to_s
  for (let i = items.length - 1; i >= 0; i--) {
    nextStarts[i] = next
    next = items[i]!.start ?? next
  }
  let previousEnd = from_s
  const found = items.map((item, i) => {
    const start = item.start ?? previousEnd
    const end = item.end ?? Math.max(start, nextStarts[i]!)
    previousEnd = Math.max(start, end)
    return { ...item, start, end }
  })
  return { found, hasEstimates: items.some(({ start, end }) => start == null || end == null) }
}

/** Removes all but letters and digits, because one of two compared words has no punctuation. */
const keepLettersAndDigits = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** How many words of the text may be skipped to find a match. */
const MAX_TEXT_LOOKAHEAD = 3

/** Restores punctuation from the text, because OpenAI returns words without it and sentence ends depend on it. */
export const restorePunctuation = <T extends TimedWord>(found: readonly T[], text: string): T[] => {
  const written = text.split(/\s+/).filter(Boolean)
  let at = 0
  return found.map((w) => {
    const match = written
      .slice(at, at + MAX_TEXT_LOOKAHEAD)
      .findIndex((t) => keepLettersAndDigits(t) === keepLettersAndDigits(w.word))
    if (match < 0) return w
    at += match + 1
    return { ...w, word: written[at - 1]! }
  })
}
