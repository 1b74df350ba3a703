import { statementsIn } from "../../../domain/text/sentences.ts"
import { stem } from "../../../domain/text/stem.ts"
import { normalise, wordsOf } from "../../../domain/text/tokens.ts"
import type { AnswerRequest } from "../types.ts"

/** A question counts as the one that was asked from this likeness on. */
const SAME_QUESTION = 0.5
/** Of two sentences with the same words of weight, the one that shares more of the small ones. */
const TIE = 1e-3
/** "Yes." says nothing without what comes behind it. */
const SHORT_REPLY = 2

export type Candidate = {
  readonly text: string
  readonly passage: number
  readonly at: number
  readonly stems: ReadonlySet<string>
  /** Of the question that stands before it in the passage, if one does. */
  readonly answers: ReadonlySet<string>
  /** How much it counts for being like the question, small words and all, or for standing behind one that is. */
  readonly favour: number
}

const NOTHING: ReadonlySet<string> = new Set()

const common = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((x) => b.has(x)).length

/** Dice 1945. */
const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  (2 * common(a, b)) / Math.max(1, a.size + b.size)

/** A question is no answer, however many words it shares with the one that was asked; what follows it often is. */
export const asks = (text: string): boolean => /[?？؟]["'”’»)\]]*$/u.test(text)

const stemsOf = (text: string, as: (stem: string) => string): Set<string> =>
  new Set(wordsOf(text).map((w) => as(stem(normalise(w)))))

type As = (stem: string) => string

/** A short reply to a question together with the statement behind it; the others as they are. */
const withReplies = (statements: readonly string[]): string[] => {
  const said: string[] = []
  for (const statement of statements) {
    const [question, reply] = said.slice(-2)
    const goesOn = reply !== undefined && asks(question!) && wordsOf(reply).length <= SHORT_REPLY && !asks(statement)
    said.push(goesOn ? `${said.pop()} ${statement}` : statement)
  }
  return said
}

/** What the passages say, statement by statement; `as` reads a stem as the question has it. */
export const candidatesOf = ({ question, passages }: AnswerRequest, as: As): Candidate[] => {
  const asked = stemsOf(question, as)
  return passages.flatMap(({ text }, passage) => {
    const statements = withReplies(statementsIn(text).filter((statement) => !/^#{1,6}\s/.test(statement)))
    return statements.map((statement, at) => {
      const before = at > 0 && asks(statements[at - 1]!) ? stemsOf(statements[at - 1]!, as) : NOTHING
      const stems = stemsOf(statement, as)
      const like = likeness(before, asked)
      const favour = 1 + (like < SAME_QUESTION ? 0 : like) + TIE * (common(stems, asked) / Math.max(1, asked.size))
      return { text: statement, passage, at, stems, answers: before, favour }
    })
  })
}
