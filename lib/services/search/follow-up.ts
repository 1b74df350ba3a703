import { MAX_QUESTION_CHARS } from "../../domain/constants.ts"
import { stem } from "../../domain/text/stem.ts"
import type { Answerer } from "../../engines/language/types.ts"
import type { PastTurn } from "../../storage/stores/ports/threads.ts"
import { isSearchContentWord, splitSearchWords } from "./query-terms.ts"

/** The number of questions before that a follow-up may refer to. */
export const MAX_PAST_TURNS = 6
/** The number of words of the question before that are carried over. */
const MAX_CARRIED_WORDS = 12
/** A longer rewritten question is no question. */
const MAX_REWRITTEN_CHARS = 500

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/** Pronouns that refer to something before, in English, German and French. */
const PRONOUNS = words(`it its itself he him his himself she hers herself they them their theirs themselves these those
  er ihn ihm sie ihr ihnen deren dessen ils elle elles lui leur leurs celui celle ceux`)
/** Words that often refer to something before if little else is asked. */
const WEAK_PRONOUNS = words(
  "that this there then one ones else more her so such dies diese dieser das dort dann ça cela y en",
)
/** The first words of a question that continues another. */
const CONTINUATIONS = words("and or but also then what about how und oder aber auch dann et ou mais aussi")
/** A question with at most this many content words may be a continuation. */
const MAX_SHORT = 2

const contentWordsOf = (question: string): string[] => [
  ...new Set(splitSearchWords(question).filter((word) => word.length > 1 && isSearchContentWord(word))),
]

/** Returns true if a question refers to what was asked before. */
export const isFollowUp = (question: string): boolean => {
  const all = splitSearchWords(question)
  const own = contentWordsOf(question).filter((word) => !PRONOUNS.has(word))
  if (own.length === 0 || all.some((word) => PRONOUNS.has(word))) return true
  const [first = "", second = ""] = all
  const isContinued = CONTINUATIONS.has(first) && (!["what", "how"].includes(first) || second === "about")
  return own.length <= MAX_SHORT && (isContinued || all.some((word) => WEAK_PRONOUNS.has(word)))
}

/** Appends the content words of the question before to a follow-up. Other questions are returned as they are. */
export const carryWordsOver = (question: string, before: string): string => {
  if (!isFollowUp(question)) return question
  const own = new Set(contentWordsOf(question).map(stem))
  const carried = contentWordsOf(before)
    .filter((word) => !own.has(stem(word)) && !PRONOUNS.has(word))
    .slice(0, MAX_CARRIED_WORDS)
  if (carried.length === 0) return question
  const asked = question
    .trim()
    .replace(/[?!.…]$/u, "")
    .trimEnd()
  return `${asked}: ${carried.join(" ")}`
}

/** Returns the rewritten question of a model, or null if it is none. */
const checkRewritten = (text: string, known: string): string | null => {
  const line = text
    .trim()
    .replace(/^["“„'](.*)["”“']$/u, "$1")
    .trim()
  if (line === "" || line.length > MAX_REWRITTEN_CHARS || /[\r\n]/.test(line)) return null
  const stems = new Set(contentWordsOf(known).map(stem))
  const own = contentWordsOf(line)
  // A question about something that nobody asked about is no question of this conversation.
  return own.length > 0 && 2 * own.filter((word) => stems.has(stem(word))).length >= own.length ? line : null
}

/**
 * Rewrites a question so that it can be understood without those before it: by the language model, or else with their
 * content words. Returns null for a question that is whole already.
 * @throws AppError `unavailable` as `Answerer`
 */
export const rewriteFollowUp = async (
  answerer: Answerer,
  question: string,
  past: readonly PastTurn[],
  signal: AbortSignal,
): Promise<string | null> => {
  const last = past.at(-1)
  if (!last) return null
  const turns = past.map(({ question, rewritten_question, answer }) => ({
    question: rewritten_question ?? question,
    answer,
  }))
  const known = [question, ...turns.flatMap((turn) => [turn.question, turn.answer])].join("\n")
  const written = answerer.rewrite && checkRewritten(await answerer.rewrite({ question, past: turns }, signal), known)
  const whole = written ?? carryWordsOver(question, last.rewritten_question ?? last.question)
  return whole === question ? null : whole.slice(0, MAX_QUESTION_CHARS)
}
