import type { z } from "zod"
import type { StoredLine } from "../../../domain/summaries.ts"
import { stem } from "../../../domain/text/stem.ts"
import { STOP_WORDS } from "../../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../../domain/text/tokens.ts"
import { createQuoteFinder, isDistinctive } from "../find-quote.ts"
import { findUngroundedTerms, normalizeLetters } from "../grounding.ts"
import type { Passage } from "./passages.ts"
import type { ANSWER_SCHEMAS } from "./prompts.ts"

export type AnsweredLine = z.infer<(typeof ANSWER_SCHEMAS)["lines"]>["lines"][number]

export type CheckedLines = {
  readonly lines: readonly StoredLine[]
  /** A sentence for each line that cannot be used. */
  readonly problems: readonly string[]
}

const MAX_TEXT_CHARS = 600
const MAX_SECTION_CHARS = 120
const MAX_NAME_CHARS = 100
/** A line without a usable quote must share this many content words with its passage, or half of its own. */
const MIN_SHARED_WORDS = 2

const tidy = (text: string | undefined, maxChars: number): string =>
  (text ?? "")
    .slice(0, 4 * maxChars)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, maxChars)

const listStems = (text: string): Set<string> =>
  new Set(
    splitWords(text)
      .map(normalizeWord)
      .filter((word) => word !== "" && !STOP_WORDS.has(word))
      .map(stem),
  )

/** Returns true if a line shares enough words with what it cites. */
export const sharesWords = (text: string, cited: string): boolean => {
  const own = listStems(text)
  const said = listStems(cited)
  const shared = [...own].filter((word) => said.has(word)).length
  return shared >= MIN_SHARED_WORDS || (own.size > 0 && shared * 2 >= own.size)
}

/** Returns the owner of a task: a speaker by the label of the passages, or a name that occurs in them. */
const findOwner = (
  owner: string,
  passages: readonly Passage[],
  material: string,
): Pick<StoredLine, "owner" | "ownerSpeaker"> => {
  const letters = normalizeLetters(owner)
  if (letters === "") return { owner: null, ownerSpeaker: null }
  const speaker = passages.find(({ label }) => normalizeLetters(label) === letters)?.speaker ?? null
  if (speaker !== null) return { owner: null, ownerSpeaker: speaker }
  return { owner: material.includes(letters) ? owner : null, ownerSpeaker: null }
}

type Material = {
  readonly passages: readonly Passage[]
  /** All passages with their speakers, and only the letters and digits of that. */
  readonly text: string
  readonly letters: string
}

/** Returns a line that can be stored, or what is wrong with it, to follow "Line 3". */
const checkLine = (given: AnsweredLine, { passages, text: source, letters }: Material): StoredLine | string => {
  const text = tidy(given.text, MAX_TEXT_CHARS)
  if (text === "") return "is empty."
  const at = passages.findIndex(({ number }) => number === given.p)
  const cited = passages[at]
  if (!cited) return `cites passage ${given.p}, which is not there.`
  const near = passages.slice(Math.max(0, at - 1), at + 2)
  const find = createQuoteFinder(near.flatMap(({ words }) => words))
  const quoted = isDistinctive(given.q ?? "") ? find(given.q ?? "", cited.start_s) : null
  if (quoted === null && !sharesWords(text, near.map((passage) => passage.text).join(" ")))
    return `is not in passage ${given.p}, and "q" does not quote it.`
  const ungrounded = findUngroundedTerms(text, source)
  if (ungrounded.length > 0) return `names what the passages do not: ${ungrounded.slice(0, 4).join(", ")}.`
  const quotedPassage = near.find(({ start_s, end_s }) => quoted !== null && quoted >= start_s && quoted <= end_s)
  const { speaker, start_s, end_s } = quotedPassage ?? cited
  const due = tidy(given.due, MAX_NAME_CHARS)
  return {
    section: tidy(given.section, MAX_SECTION_CHARS) || null,
    text,
    detail: null,
    start_s: quoted ?? start_s,
    end_s,
    speaker,
    ...findOwner(tidy(given.owner, MAX_NAME_CHARS), passages, letters),
    due: due !== "" && letters.includes(normalizeLetters(due)) ? due : null,
  }
}

/**
 * Checks the lines of an answer against the passages that it was made from. A line is usable if its passage exists, if it
 * quotes that passage or one beside it, or else shares words with them, and if its names and numbers occur in the passages.
 */
export const checkLines = (answer: readonly AnsweredLine[], passages: readonly Passage[]): CheckedLines => {
  const text = passages.map((passage) => `${passage.label}: ${passage.text}`).join("\n")
  const material = { passages, text, letters: normalizeLetters(text) }
  const lines: StoredLine[] = []
  const problems: string[] = []
  for (const [i, given] of answer.entries()) {
    const checked = checkLine(given, material)
    if (typeof checked === "string") problems.push(`Line ${i + 1} ${checked}`)
    else lines.push(checked)
  }
  return { lines, problems }
}
