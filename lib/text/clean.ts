import { isFiller } from "./stop-words.ts"
import { normalise, wordsOf } from "./tokens.ts"

/** Openers of spoken sentences that carry nothing: "So, um, okay, …". */
const OPENERS = new Set("so and but or well okay ok yeah yes right alright now like because then".split(" "))

const bare = (word: string): string => normalise(wordsOf(word).join(""))
const isPunctuation = (word: string): boolean => wordsOf(word).length === 0

const withoutRepeats = (words: readonly string[]): string[] => {
  const kept: string[] = []
  for (const word of words) {
    kept.push(word)
    // "we need we need to" says it once: drop the newest of two equal runs of one to three words.
    for (let n = 3; n >= 1; n--) {
      if (kept.length < 2 * n) continue
      const key = (from: number): string =>
        kept
          .slice(from, from + n)
          .map(bare)
          .join(" ")
      if (key(kept.length - n).trim() !== "" && key(kept.length - 2 * n) === key(kept.length - n)) {
        kept.splice(kept.length - 2 * n, n)
        break
      }
    }
  }
  return kept
}

const IDEOGRAPH = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}。、！？]"
/** Scripts that write no spaces get none back. */
const IDEOGRAPH_SPACE = new RegExp(`(?<=${IDEOGRAPH})\\s+(?=${IDEOGRAPH})`, "gu")
const ENDS_IN_IDEOGRAPH = new RegExp(`${IDEOGRAPH}$`, "u")

/** "You know" and the like between commas, or before one, say nothing. */
const ASIDE = /(?:,\s*(?:you know|i mean|i guess)(?=\s*[,.;!?…]))|(?:(?<=^|,\s?)(?:you know|i mean|i guess)\s*,)/giu

/**
 * A readable sentence from words as spoken: without fillers, stutters and empty openers, punctuation marks attached,
 * first letter a capital, closed by a mark. Empty when nothing is left.
 */
export const cleanSentence = (words: readonly string[]): string => {
  let kept = withoutRepeats(words.filter((w) => !isFiller(bare(w))))
  while (kept.length > 4 && (isPunctuation(kept[0]!) || OPENERS.has(bare(kept[0]!)))) kept = kept.slice(1)
  const text = kept
    .join(" ")
    .replace(/``|''|[“”"]/gu, "")
    .replace(/\s+([,.;:!?…%)\]])/gu, "$1")
    .replace(/\s+(n['’]t|['’](?:s|re|ve|ll|d|m))\b/giu, "$1")
    .replace(ASIDE, "")
    .replace(/([,;:])(?:\s*[,;:])+/gu, "$1")
    .replace(/^[\s,.;:!?…)\]-]+/u, "")
    .replace(/\s+/gu, " ")
    .replace(IDEOGRAPH_SPACE, "")
    .replace(/[\s,;:–-]+$/u, "")
    .replace(/[,;:]([.!?…])$/u, "$1")
    .trim()
  if (!/[\p{L}\p{N}]/u.test(text)) return ""
  const closed = /[.!?…。！？।؟]$/u.test(text) ? text : `${text}${ENDS_IN_IDEOGRAPH.test(text) ? "。" : "."}`
  return closed.replace(/^\p{Ll}/u, (c) => c.toUpperCase()).replace(/(?<=^|\s)i(?=['’\s])/gu, "I")
}
