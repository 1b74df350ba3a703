import { isFiller } from "./fillers.ts"
import { joinSpoken } from "./join-spoken.ts"
import { STOP_WORDS } from "./stop-words.ts"
import { normalizeWord, splitWords } from "./tokens.ts"
import { trimEndOf } from "./trim-end.ts"

/** Openers of spoken sentences without meaning: "So, um, okay, …". */
const OPENERS = new Set("so and but or well okay ok yeah yes right alright now like because then".split(" "))

/** A spoken word with its normalized form without punctuation, which is empty for a punctuation mark. */
type Token = { readonly word: string; readonly normal: string }

const toToken = (word: string): Token => ({ word, normal: normalizeWord(splitWords(word).join("")) })

/** Returns true if the last `length` tokens repeat the ones before them and are not only punctuation. */
const endsWithRepeat = (tokens: readonly Token[], length: number): boolean => {
  const first = tokens.length - length
  if (first < length) return false
  let isSpoken = false
  for (let i = first; i < tokens.length; i++) {
    const { normal } = tokens[i]!
    if (normal !== tokens[i - length]!.normal) return false
    if (normal !== "") isSpoken = true
  }
  return isSpoken
}

const withoutRepeats = (tokens: readonly Token[]): Token[] => {
  const kept: Token[] = []
  for (const token of tokens) {
    kept.push(token)
    // "we need we need to": drop the first of two equal runs of one to three words.
    const length = [3, 2, 1].find((n) => endsWithRepeat(kept, n))
    if (length !== undefined) kept.splice(kept.length - 2 * length, length)
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
const withoutFalseStarts = (tokens: readonly Token[]): Token[] =>
  tokens.filter(({ word, normal }, i) => {
    if (BACKCHANNELS.has(normal)) return false
    if (!/^\p{L}+$/u.test(word)) return true
    if (/^[b-hj-np-z]$/.test(word) || (TRUNCATED.has(normal) && /^\p{L}?\p{Ll}+$/u.test(word))) return false
    const next = tokens[i + 1]?.word ?? ""
    return next.length <= word.length || !next.startsWith(word) || STOP_WORDS.has(normal)
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
const withoutRestarts = (tokens: readonly Token[]): Token[] =>
  tokens.filter(({ normal }, i) => {
    const next = tokens[i + 1]?.normal ?? ""
    if (ARTICLES.has(normal)) return !NEVER_AFTER_ARTICLE.has(next)
    return !(SUBJECTS.has(normal) && SUBJECTS.has(next))
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
  const tokens = words.map(toToken).filter(({ normal }) => !isFiller(normal))
  const sound = withoutRepeats(withoutRestarts(withoutFalseStarts(tokens)))
  let first = 0
  while (sound.length - first > 4 && (sound[first]!.normal === "" || OPENERS.has(sound[first]!.normal))) first++
  const kept = sound.slice(first)
  const spoken = joinSpoken(kept.map(({ word }) => word))
    .replace(/``|''|[“”"]/gu, "")
    .replace(/\s+/gu, " ")
    .replace(/ ([,.;:!?…%)\]])/gu, "$1")
    .replace(ASIDE, "")
    .replace(LOOSE_ASIDE, "")
    .replace(HEDGE, "")
    .replace(/([,;:])(?:\s*[,;:])+/gu, "$1")
    .replace(/^[\s,.;:!?…)\]-]+/u, "")
    .replace(/\s+/gu, " ")
    .replace(IDEOGRAPH_SPACE, "")
  const joined = trimEndOf(spoken, /[\s,;:–-]/u)
    .replace(/[,;:]([.!?…])$/u, "$1")
    .replace(/ [–-]+([.!?…])$/u, "$1")
    .trim()
  const text = withoutLeading(joined)
  if (!/[\p{L}\p{N}]/u.test(text)) return ""
  const closed = /[.!?…。！？।؟]$/u.test(text) ? text : `${text}${ENDS_IN_IDEOGRAPH.test(text) ? "。" : "."}`
  return closed.replace(/^\p{Ll}/u, (c) => c.toUpperCase()).replace(/(?<=^|\s)i(?=['’\s])/gu, "I")
}
