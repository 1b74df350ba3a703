import { isFiller, STOP_WORDS } from "./stop-words.ts"
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

/** Consonants that begin English syllables, and function words broken off: no words by themselves. */
const BROKEN = new Set(
  "th wh ch sh st tr pr gr fr cr br pl cl bl sp sc fl gl sl dr tw str thr spr tha thi wha whe whi sho shou cou wou becau".split(
    " ",
  ),
)
/** Answers to others in the middle of a sentence. */
const NODS = new Set(["yeah", "yep", "yup", "mm-hmm", "uh-huh"])

/**
 * Drops false starts: a letter by itself, what no word is ("th"), and what the next word begins with ("contr
 * construction"). Function words stay, for "a about" may be meant.
 */
const withoutFalseStarts = (words: readonly string[]): string[] =>
  words.filter((word, i) => {
    if (NODS.has(bare(word))) return false
    if (!/^\p{L}+$/u.test(word)) return true
    if (/^[b-hj-np-z]$/.test(word) || (BROKEN.has(bare(word)) && /^\p{L}?\p{Ll}+$/u.test(word))) return false
    const next = words[i + 1] ?? ""
    return next.length <= word.length || !next.startsWith(word) || STOP_WORDS.has(bare(word))
  })

const ARTICLES = new Set(["the", "a", "an"])
const SUBJECTS = new Set("i we he she they".split(" "))
const AFTER_NO_ARTICLE = new Set(
  "the a an i we you he she they it it's we're they're i'm you're this that's there's so when once if is are was and but or to what who how because in on of with for at from".split(
    " ",
  ),
)

/** Drops what was begun and begun anew: "the once you know" is "once you know", "we they said" is "they said". */
const withoutRestarts = (words: readonly string[]): string[] =>
  words.filter((word, i) => {
    const [own, next] = [bare(word), bare(words[i + 1] ?? "")]
    if (ARTICLES.has(own)) return !AFTER_NO_ARTICLE.has(next)
    return !(SUBJECTS.has(own) && SUBJECTS.has(next))
  })

const IDEOGRAPH = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}。、！？]"
/** Scripts that write no spaces get none back. */
const IDEOGRAPH_SPACE = new RegExp(`(?<=${IDEOGRAPH})\\s+(?=${IDEOGRAPH})`, "gu")
const ENDS_IN_IDEOGRAPH = new RegExp(`${IDEOGRAPH}$`, "u")

/** "You know" and the like between commas, or before one, say nothing. */
const ASIDE = /(?:,\s*(?:you know|i mean|i guess)(?=\s*[,.;!?…]))|(?:(?<=^|,\s?)(?:you know|i mean|i guess)\s*,)/giu

/** The same without commas, where no object follows and no question asks for it. */
const LOOSE_ASIDE =
  /(?<!\b(?:do|did|if|as|what|that|let|don['’]t|to|would|should|not|how|before|because|when|once|since|where) )\byou know(?! (?:what|how|that|if|about|where|why|who|when|it|this|of|them|him|her))\b,?\s*/giu
/** "Is sort of a problem" is a problem; "this sort of problem" stays. */
const HEDGE =
  /(?<=\b(?:is|are|was|were|be|been|just|and|or|it|we|you|they|i|would|could|can|to|really|have|has|had|it's|that's|they're|we're|which|by|in|with),? )(?:sort|kind) of,?\s+/giu

/** Words that lead over from what was said before; a comma may follow. */
const LEADING =
  /^(?:so|and|but|or|well|okay|ok|yeah|anyway|actually|basically|now|then|because|'cause|'kay|i mean|of course|(?:mr|madam|mrs|ms)\.?\s?(?:chair(?:man|woman|person)?|speaker|president))\b,?\s+(?=(?:\S+\s+){3})/iu

const withoutLeading = (text: string): string => {
  const rest = text.replace(LEADING, "").replace(/^[\s,]+/u, "")
  return rest === text ? text : withoutLeading(rest)
}

/**
 * A readable sentence from words as spoken: without fillers, stutters and empty openers, punctuation marks attached,
 * first letter a capital, closed by a mark. Empty when nothing is left.
 */
export const cleanSentence = (words: readonly string[]): string => {
  let kept = withoutRepeats(withoutRestarts(withoutFalseStarts(words.filter((w) => !isFiller(bare(w))))))
  while (kept.length > 4 && (isPunctuation(kept[0]!) || OPENERS.has(bare(kept[0]!)))) kept = kept.slice(1)
  const joined = kept
    .join(" ")
    .replace(/``|''|[“”"]/gu, "")
    .replace(/\s+([,.;:!?…%)\]])/gu, "$1")
    .replace(/\s+(n['’]t|['’](?:s|re|ve|ll|d|m))\b/giu, "$1")
    .replace(ASIDE, "")
    .replace(LOOSE_ASIDE, "")
    .replace(HEDGE, "")
    .replace(/([,;:])(?:\s*[,;:])+/gu, "$1")
    .replace(/^[\s,.;:!?…)\]-]+/u, "")
    .replace(/\s+/gu, " ")
    .replace(IDEOGRAPH_SPACE, "")
    .replace(/[\s,;:–-]+$/u, "")
    .replace(/[,;:]([.!?…])$/u, "$1")
    .trim()
  const text = withoutLeading(joined)
  if (!/[\p{L}\p{N}]/u.test(text)) return ""
  const closed = /[.!?…。！？।؟]$/u.test(text) ? text : `${text}${ENDS_IN_IDEOGRAPH.test(text) ? "。" : "."}`
  return closed.replace(/^\p{Ll}/u, (c) => c.toUpperCase()).replace(/(?<=^|\s)i(?=['’\s])/gu, "I")
}
