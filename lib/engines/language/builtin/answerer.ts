import { splitStatements } from "../../../domain/text/sentences.ts"
import { createStemMapper, stem } from "../../../domain/text/stem.ts"
import { isContentWord, STOP_WORDS } from "../../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../../domain/text/tokens.ts"
import { type Answerer, type AnswerRequest, NOT_IN_DOCUMENTS } from "../types.ts"

const MAX_SENTENCES = 3
/** Longer statements are tables or lists rather than sentences, and are truncated. */
const MAX_STATEMENT_CHARS = 600
/** Share of the question's weight that the first statement must cover. Long questions need `MIN_COVERED_WORDS` only. */
const MIN_COVERAGE = 0.3
const MIN_COVERED_WORDS = 1.4
/** Further statements need this share of the score of the first one. */
const MIN_FURTHER_SHARE = 0.6
/** Maximum weight of a word that no statement contains, relative to the rarest word that one contains. */
const MAX_ABSENT_WEIGHT = 1.25
/** Factor for words that occur not in the statement but in the question that it answers. */
const PRECEDING_QUESTION_FACTOR = 0.7
/** Divides the weight of words that the chosen statements already cover. */
const COVERED_DIVISOR = 3
/** Reduction of the score per rank of the chunk. */
const RANK_PENALTY = 0.03
/** Minimum similarity at which a question in a chunk counts as the user's question. */
const MIN_QUESTION_SIMILARITY = 0.5
/** Weight of the shared function words, which decide between statements with the same content words. */
const TIE_WEIGHT = 1e-3
/** Replies of at most this many words ("Yes.") need the statement after them. */
const MAX_SHORT_REPLY_WORDS = 2

/** A statement that may answer the question. */
type Candidate = {
  readonly text: string
  /** Index of the chunk that contains it. */
  readonly chunk: number
  /** Index of the statement in the chunk. */
  readonly index: number
  readonly stems: ReadonlySet<string>
  /** The stems of the question directly before it, if there is one. */
  readonly questionStems: ReadonlySet<string>
  /** Factor for similarity to the user's question, function words included, and for following a similar question. */
  readonly boost: number
}

const NO_STEMS: ReadonlySet<string> = new Set()

const countCommon = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((x) => b.has(x)).length

/** The Dice coefficient (Dice 1945). */
const computeSimilarity = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  (2 * countCommon(a, b)) / Math.max(1, a.size + b.size)

const isQuestion = (text: string): boolean => /[?？؟]["'”’»)\]]*$/u.test(text)

const stemWords = (text: string, mapStem: (stem: string) => string): Set<string> =>
  new Set(splitWords(text).map((w) => mapStem(stem(normalizeWord(w)))))

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

/** Lists the statements of all chunks, without Markdown headings. `mapStem` unifies verb forms with the question. */
const listCandidates = ({ question, chunks }: AnswerRequest, mapStem: (stem: string) => string): Candidate[] => {
  const asked = stemWords(question, mapStem)
  return chunks.flatMap(({ text }, chunk) => {
    const statements = joinShortReplies(splitStatements(text).filter((statement) => !/^#{1,6}\s/.test(statement)))
    return statements.map((statement, index) => {
      const before = statements[index - 1]
      const questionStems = before !== undefined && isQuestion(before) ? stemWords(before, mapStem) : NO_STEMS
      const stems = stemWords(statement, mapStem)
      const similarity = computeSimilarity(questionStems, asked)
      const boost =
        1 +
        (similarity < MIN_QUESTION_SIMILARITY ? 0 : similarity) +
        TIE_WEIGHT * (countCommon(stems, asked) / Math.max(1, asked.size))
      return { text: statement, chunk, index, stems, questionStems, boost }
    })
  })
}

const listQuestionWords = (question: string): string[] => {
  const words = splitWords(question).map(normalizeWord)
  const content = words.filter((w) => isContentWord(w, STOP_WORDS) || /\d/.test(w))
  return content.length > 0 ? content : words
}

/** Returns false for a heading that only repeats words of the question. A complete sentence may confirm them. */
const isInformative = ({ text, stems }: Candidate, asked: readonly string[]): boolean =>
  /[.!?…。！？]["'”’»)\]]*$/u.test(text) || [...stems].some((s) => !STOP_WORDS.has(s) && !asked.includes(s))

/**
 * Weighs the stems of the question by their rarity among the candidates. A stem that none contains weighs little more
 * than the rarest one: the answer to "What color is it?" need not contain the word "color".
 */
const computeWeights = (stems: readonly string[], candidates: readonly Candidate[]): Map<string, number> => {
  const rarity = (count: number): number => Math.log(1 + (candidates.length + 1) / (count + 0.5))
  const counts = new Map(stems.map((s) => [s, candidates.filter((c) => c.stems.has(s)).length]))
  const highest = Math.max(0, ...[...counts.values()].filter((n) => n > 0).map(rarity))
  return new Map(
    stems.map((s) => [
      s,
      counts.get(s)! > 0 ? rarity(counts.get(s)!) : Math.min(rarity(0), MAX_ABSENT_WEIGHT * highest),
    ]),
  )
}

const truncateStatement = (text: string): string => {
  const line = text.replace(/\s+/g, " ")
  return line.length <= MAX_STATEMENT_CHARS ? line : `${line.slice(0, MAX_STATEMENT_CHARS).replace(/\s+\S*$/, "")} …`
}

/**
 * Selects the statements that cover most of the question's weight, each for what it adds to the previous ones (maximal
 * marginal relevance, Carbonell & Goldstein 1998). Returns none if the best one does not cover enough.
 */
const selectStatements = (request: AnswerRequest): Candidate[] => {
  const words = listQuestionWords(request.question)
  const stems = [...new Set(words.map(stem))]
  const statements = listCandidates(request, createStemMapper(words)).filter((c) => isInformative(c, stems))
  const weights = computeWeights(stems, statements)
  const candidates = statements.filter((c) => !isQuestion(c.text))
  const total = [...weights.values()].reduce((a, b) => a + b, 0)
  const chosen: Candidate[] = []
  const covered = new Set<string>()
  const score = (c: Candidate): number => {
    let sum = 0
    for (const [s, weight] of weights) {
      const share = c.stems.has(s) ? 1 : c.questionStems.has(s) ? PRECEDING_QUESTION_FACTOR : 0
      sum += share * (covered.has(s) ? weight / COVERED_DIVISOR : weight)
    }
    return sum * c.boost * (1 - Math.min(0.5, c.chunk * RANK_PENALTY))
  }
  const minScore = total * Math.min(MIN_COVERAGE, MIN_COVERED_WORDS / Math.max(1, weights.size))
  let firstScore = 0
  while (chosen.length < MAX_SENTENCES) {
    const [best, value] = candidates
      .filter((c) => !chosen.some((x) => x.text === c.text))
      .map((c) => [c, score(c)] as const)
      .reduce<readonly [Candidate | null, number]>((a, b) => (b[1] > a[1] ? b : a), [null, 0])
    if (best === null || (chosen.length === 0 ? value < minScore : value < MIN_FURTHER_SHARE * firstScore)) break
    if (chosen.length === 0) firstScore = value
    chosen.push(best)
    for (const s of [...best.stems, ...best.questionStems]) covered.add(s)
  }
  return chosen.sort((a, b) => a.chunk - b.chunk || a.index - b.index)
}

/** Creates an answerer that extracts the statements most relevant to the question, each with its citation. */
export const createBuiltinAnswerer = (): Answerer => ({
  provider: "builtin",
  model: null,
  async *answer(request, signal) {
    const chosen = selectStatements(request)
    if (chosen.length === 0) return yield request.noAnswer ?? NOT_IN_DOCUMENTS
    for (const [i, { text, chunk }] of chosen.entries()) {
      signal.throwIfAborted()
      yield `${i > 0 ? " " : ""}${truncateStatement(text)} [${chunk + 1}]`
    }
  },
})
