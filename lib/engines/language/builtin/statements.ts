import { cleanSentence } from "../../../domain/text/clean-sentence.ts"
import { splitStatements } from "../../../domain/text/sentences.ts"
import { splitWords } from "../../../domain/text/tokens.ts"

/** Replies of at most this many words ("Yes.") need the statement after them. */
const MAX_SHORT_REPLY_WORDS = 2

const HEADING = /^#{1,6}\s/
/** The line between the header and the rows of a Markdown table. */
const TABLE_RULE = /^[|:\s-]+$/
const LIST_MARK = /^(?:[-*+•>]|\d{1,3}[.)])\s+/
/** A number in brackets, which would be a citation in an answer. */
const REFERENCE = /\s?\[\d+(?:\s*[,;]\s*\d+)*\]/g

/** Returns true if a statement ends with a question mark. */
export const isQuestion = (text: string): boolean => /[?？؟]["'”’»)\]]*$/u.test(text)

/** Joins a short reply to a question with the statement after it. */
const joinShortReplies = (statements: readonly string[]): string[] => {
  const joined: string[] = []
  for (const statement of statements) {
    const [question, reply] = joined.slice(-2)
    const continuesReply =
      reply !== undefined &&
      isQuestion(question!) &&
      splitWords(reply).length <= MAX_SHORT_REPLY_WORDS &&
      !isQuestion(statement)
    joined.push(continuesReply ? `${joined.pop()} ${statement}` : statement)
  }
  return joined
}

/** Removes the marks of Markdown from a statement: list, table, emphasis, code and link. */
const stripMarkdown = (statement: string): string =>
  statement
    .replace(LIST_MARK, "")
    .replace(/^\|\s*/, "")
    .replace(/\|$/, "")
    .trimEnd()
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/(\*\*|`)(\S(?:.{0,200}?\S)?)\1/g, "$2")

/**
 * Splits a chunk into statements as an answer quotes them. Written text loses headings and Markdown marks, speech its
 * fillers, false starts and openers ("Well, uh, I think"). References in brackets are removed.
 */
export const listStatements = (text: string, isSpoken: boolean): string[] => {
  const statements = splitStatements(text).filter(
    (statement) => !HEADING.test(statement) && !TABLE_RULE.test(statement),
  )
  const tidy = (statement: string): string =>
    (isSpoken ? cleanSentence(statement.split(/\s+/)) : stripMarkdown(statement)).replace(REFERENCE, "").trim()
  return joinShortReplies(statements.map(tidy).filter(Boolean))
}
