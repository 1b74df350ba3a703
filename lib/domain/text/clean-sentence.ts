import { isFiller, STOP_WORDS } from "./stop-words.ts"
import { normalizeWord, splitWords } from "./tokens.ts"

/** Openers of spoken sentences without meaning: "So, um, okay, …". */
const OPENERS = new Set("so and but or well okay ok yeah yes right alright now like because then".split(" "))

const normalizeToken = (word: string): string => normalizeWord(splitWords(word).join(""))
const isPunctuation = (word: string): boolean => splitWords(word).length === 0

const withoutRepeats = (words: readonly string[]): string[] => {
  const kept: string[] = []
  for (const word of words) {
    kept.push(word)
    // "we need we need to": drop the first of two equal runs of one to three words.
    for (let n = 3; n >= 1; n--) {
      if (kept.length < 2 * n) continue
      const key = (from: number): string =>
        kept
          .slice(from, from + n)
          .map(normalizeToken)
          .join(" ")
      if (key(kept.length - n).trim() !== "" && key(kept.length - 2 * n) === key(kept.length - n)) {
        kept.splice(kept.length - 2 * n, n)
        break
      }
    }
  }
  return kept
}

/** Initial consonants of English syllables and truncated function words, which are not words. */
const TRUNCATED = new Set(
  "th wh ch sh st tr pr gr fr cr br pl cl bl sp sc fl gl sl dr tw str thr spr tha thi wha whe whi sho shou cou wou becau".split(
    " ",
  ),
)
/** Replies to other speakers in the middle of a sentence. */
const BACKCHANNELS = new Set(["yeah", "yep", "yup", "mm-hmm", "uh-huh"])

/**
 * Drops false starts: single letters, truncated words ("th") and prefixes of the next word ("contr construction").
 * Keeps function words, because "a about" may be intended.
 */
const withoutFalseStarts = (words: readonly string[]): string[] =>
  words.filter((word, i) => {
    if (BACKCHANNELS.has(normalizeToken(word))) return false
    if (!/^\p{L}+$/u.test(word)) return true
    if (/^[b-hj-np-z]$/.test(word) || (TRUNCATED.has(normalizeToken(word)) && /^\p{L}?\p{Ll}+$/u.test(word)))
      return false
    const next = words[i + 1] ?? ""
    return next.length <= word.length || !next.startsWith(word) || STOP_WORDS.has(normalizeToken(word))
  })

const ARTICLES = new Set(["the", "a", "an"])
const SUBJECTS = new Set("i we he she they".split(" "))
/** Words that cannot follow an article. */
const NEVER_AFTER_ARTICLE = new Set(
  "the a an i we you he she they it it's we're they're i'm you're this that's there's so when once if is are was and but or to what who how because in on of with for at from".split(
    " ",
  ),
)

/** Drops abandoned beginnings: "the once you know" becomes "once you know", "we they said" becomes "they said". */
const withoutRestarts = (words: readonly string[]): string[] =>
  words.filter((word, i) => {
    const [own, next] = [normalizeToken(word), normalizeToken(words[i + 1] ?? "")]
    if (ARTICLES.has(own)) return !NEVER_AFTER_ARTICLE.has(next)
    return !(SUBJECTS.has(own) && SUBJECTS.has(next))
  })

const IDEOGRAPH = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}。、！？]"
/** Spaces between ideographs, which those scripts do not use. */
const IDEOGRAPH_SPACE = new RegExp(`(?<=${IDEOGRAPH})\\s+(?=${IDEOGRAPH})`, "gu")
const ENDS_IN_IDEOGRAPH = new RegExp(`${IDEOGRAPH}$`, "u")

/** Asides such as "you know", between commas or before one. */
const ASIDE = /(?:,\s*(?:you know|i mean|i guess)(?=\s*[,.;!?…]))|(?:(?<=^|,\s?)(?:you know|i mean|i guess)\s*,)/giu

/** "You know" without commas, except where it has an object or belongs to a question. */
const LOOSE_ASIDE =
  /(?<!\b(?:do|did|if|as|what|that|let|don['’]t|to|would|should|not|how|before|because|when|once|since|where) )\byou know(?! (?:what|how|that|if|about|where|why|who|when|it|this|of|them|him|her))\b,?\s*/giu
/** Matches the hedge in "is sort of a problem" but not in "this sort of problem". */
const HEDGE =
  /(?<=\b(?:is|are|was|were|be|been|just|and|or|it|we|you|they|i|would|could|can|to|really|have|has|had|it's|that's|they're|we're|which|by|in|with),? )(?:sort|kind) of,?\s+/giu

/** Transitions from the previous sentence and forms of address, with an optional comma. */
const LEADING =
  /^(?:so|and|but|or|well|okay|ok|yeah|anyway|actually|basically|now|then|because|'cause|'kay|i mean|of course|(?:mr|madam|mrs|ms)\.?\s?(?:chair(?:man|woman|person)?|speaker|president))\b,?\s+(?=(?:\S+\s+){3})/iu

const withoutLeading = (text: string): string => {
  const rest = text.replace(LEADING, "").replace(/^[\s,]+/u, "")
  return rest === text ? text : withoutLeading(rest)
}

/**
 * Turns spoken words into a readable sentence: removes fillers, stutters and openers without meaning, attaches
 * punctuation marks, capitalizes the first letter and adds a final mark. Returns an empty string if no words remain.
 */
export const cleanSentence = (words: readonly string[]): string => {
  let kept = withoutRepeats(withoutRestarts(withoutFalseStarts(words.filter((w) => !isFiller(normalizeToken(w))))))
  while (kept.length > 4 && (isPunctuation(kept[0]!) || OPENERS.has(normalizeToken(kept[0]!)))) kept = kept.slice(1)
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
    .replace(/\s+[–-]+([.!?…])$/u, "$1")
    .trim()
  const text = withoutLeading(joined)
  if (!/[\p{L}\p{N}]/u.test(text)) return ""
  const closed = /[.!?…。！？।؟]$/u.test(text) ? text : `${text}${ENDS_IN_IDEOGRAPH.test(text) ? "。" : "."}`
  return closed.replace(/^\p{Ll}/u, (c) => c.toUpperCase()).replace(/(?<=^|\s)i(?=['’\s])/gu, "I")
}
