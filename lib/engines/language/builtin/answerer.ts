import { scoreReadability } from "../../../domain/text/readability.ts"
import { createStemMapper, stem } from "../../../domain/text/stem.ts"
import { isContentWord, STOP_WORDS } from "../../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../../domain/text/tokens.ts"
import { type Answerer, type AnswerRequest, type Extracts, NOT_IN_DOCUMENTS } from "../types.ts"
import { isQuestion, listStatements } from "./statements.ts"

const MAX_SENTENCES = 4
/** The number of statements in what was found. */
const MAX_EXTRACTS = 5
const MIN_EXTRACTS = 3
/** A statement that completes what was found needs this share of the score of the first one. */
const MIN_WEAK_SHARE = 0.4
/** Longer statements are tables or lists rather than sentences, and are truncated. */
const MAX_STATEMENT_CHARS = 600
/** Share of the question's weight that a statement must cover. Long questions need `MIN_COVERED_WORDS` only. */
const MIN_COVERAGE = 0.3
const MIN_COVERED_WORDS = 1.4
/** Further statements need this share of the score of the first one. */
const MIN_FURTHER_SHARE = 0.6
/** Maximum weight of a word that no statement contains, relative to the rarest word that one contains. */
const MAX_ABSENT_WEIGHT = 1.25
/** Factor for words that occur not in the statement but in the question that it answers. */
const PRECEDING_QUESTION_FACTOR = 0.7
/** A statement that is more similar to a chosen one repeats it. */
const MAX_SIMILARITY = 0.6
/** Factor for a further statement of a document or recording that the answer already quotes. */
const SAME_DOCUMENT_FACTOR = 0.75
/** Factor for a spoken statement with a readability of 0. */
const MIN_READABILITY_FACTOR = 0.6
/** Reduction of the score per rank of the chunk. */
const RANK_PENALTY = 0.03
/** Minimum similarity at which a question in a chunk counts as the user's question. */
const MIN_QUESTION_SIMILARITY = 0.5
/** Weight of the shared function words, which decide between statements with the same content words. */
const TIE_WEIGHT = 1e-3

/** A statement that may answer the question. */
type Candidate = {
  readonly text: string
  /** Index of the chunk that contains it. */
  readonly chunk: number
  /** Identifies the document or recording of the chunk. */
  readonly document: string
  readonly stems: ReadonlySet<string>
  /** The stems of the question directly before it, if there is one. */
  readonly questionStems: ReadonlySet<string>
  /** Factor for similarity to the user's question, for following a similar question, and for readability. */
  readonly boost: number
}

/** `found` has the question words that the statement contains. */
type ScoredCandidate = Candidate & { readonly score: number; readonly found: ReadonlySet<string> }

const NO_STEMS: ReadonlySet<string> = new Set()

const countCommon = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((x) => b.has(x)).length

/** The Dice coefficient (Dice 1945). */
const computeSimilarity = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  (2 * countCommon(a, b)) / Math.max(1, a.size + b.size)

const stemWords = (text: string, mapStem: (stem: string) => string): Set<string> =>
  new Set(splitWords(text).map((w) => mapStem(stem(normalizeWord(w)))))

const scoreReading = (statement: string): number =>
  MIN_READABILITY_FACTOR + (1 - MIN_READABILITY_FACTOR) * scoreReadability(statement)

/** Lists the statements of all chunks. `mapStem` unifies verb forms with the question. */
const listCandidates = ({ question, chunks }: AnswerRequest, mapStem: (stem: string) => string): Candidate[] => {
  const asked = stemWords(question, mapStem)
  return chunks.flatMap(({ text, document = text, isSpoken = false }, chunk) => {
    const statements = listStatements(text, isSpoken)
    return statements.map((statement, index) => {
      const before = statements[index - 1]
      const questionStems = before !== undefined && isQuestion(before) ? stemWords(before, mapStem) : NO_STEMS
      const stems = stemWords(statement, mapStem)
      const similarity = computeSimilarity(questionStems, asked)
      const boost =
        1 +
        (similarity < MIN_QUESTION_SIMILARITY ? 0 : similarity) +
        TIE_WEIGHT * (countCommon(stems, asked) / Math.max(1, asked.size))
      const reading = isSpoken ? scoreReading(statement) : 1
      return { text: statement, chunk, document, stems, questionStems, boost: boost * reading }
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
  return line.length <= MAX_STATEMENT_CHARS ? line : `${line.slice(0, MAX_STATEMENT_CHARS).replace(/ \S*$/, "")} …`
}

/**
 * Lists the statements that cover enough of the question's weight, with their scores. None if the best one does not cover enough.
 */
const listAnswers = (request: AnswerRequest): ScoredCandidate[] => {
  const words = listQuestionWords(request.question)
  const stems = [...new Set(words.map(stem))]
  const statements = listCandidates(request, createStemMapper(words)).filter((c) => isInformative(c, stems))
  const weights = computeWeights(stems, statements)
  const total = [...weights.values()].reduce((a, b) => a + b, 0)
  const minCovered = total * Math.min(MIN_COVERAGE, MIN_COVERED_WORDS / Math.max(1, weights.size))
  const measureCovered = (c: Candidate): number => {
    let sum = 0
    for (const [s, weight] of weights)
      sum += weight * (c.stems.has(s) ? 1 : c.questionStems.has(s) ? PRECEDING_QUESTION_FACTOR : 0)
    return sum
  }
  return statements.flatMap((c): ScoredCandidate[] => {
    const covered = measureCovered(c)
    const score = covered * c.boost * (1 - Math.min(0.5, c.chunk * RANK_PENALTY))
    return isQuestion(c.text) || covered === 0 || covered < minCovered
      ? []
      : [{ ...c, score, found: new Set(stems.filter((s) => c.stems.has(s))) }]
  })
}

/**
 * Selects the statements that cover most of the question's weight, best first: rather from different documents, none that
 * repeats another, and a further one of a chunk only if it contains a question word that no other contains. Returns none if the best one does not cover enough.
 */
const selectStatements = (request: AnswerRequest): Candidate[] => chooseBest(listAnswers(request))

/** Chooses the candidates with the highest scores that add something to those chosen before. */
const chooseBest = (candidates: readonly ScoredCandidate[]): ScoredCandidate[] => {
  const chosen: ScoredCandidate[] = []
  const addsWord = (c: ScoredCandidate): boolean => [...c.found].some((s) => chosen.every((x) => !x.found.has(s)))
  const rate = (c: ScoredCandidate): number =>
    c.score * (!addsWord(c) && chosen.some((x) => x.document === c.document) ? SAME_DOCUMENT_FACTOR : 1)
  while (chosen.length < MAX_SENTENCES) {
    const isNew = (c: ScoredCandidate): boolean => addsWord(c) || chosen.every((x) => x.chunk !== c.chunk)
    const free = candidates.filter(
      (c) => isNew(c) && chosen.every((x) => x !== c && computeSimilarity(x.stems, c.stems) <= MAX_SIMILARITY),
    )
    const best = free.reduce<ScoredCandidate | undefined>((a, c) => (a && rate(a) >= rate(c) ? a : c), undefined)
    if (!best || rate(best) < MIN_FURTHER_SHARE * (chosen[0]?.score ?? 0)) break
    chosen.push(best)
  }
  return chosen
}

/**
 * Chooses up to five statements to show as what was found, the best one of each document first. Fewer than three are
 * completed with weaker ones and with further ones of the same documents.
 */
const chooseExtracts = (candidates: readonly ScoredCandidate[]): ScoredCandidate[] => {
  const best = candidates.toSorted((a, b) => b.score - a.score)
  const chosen: ScoredCandidate[] = []
  const addFrom = (maxCount: number, minShare: number, isAllowed: (c: ScoredCandidate) => boolean): void => {
    for (const c of best) {
      if (chosen.length >= maxCount || c.score < minShare * best[0]!.score) return
      const isNew = chosen.every((x) => x !== c && computeSimilarity(x.stems, c.stems) <= MAX_SIMILARITY)
      if (isNew && isAllowed(c)) chosen.push(c)
    }
  }
  const isOfOtherDocument = (c: ScoredCandidate): boolean => chosen.every((x) => x.document !== c.document)
  addFrom(MAX_EXTRACTS, MIN_FURTHER_SHARE, isOfOtherDocument)
  addFrom(MIN_EXTRACTS, MIN_FURTHER_SHARE, (c) => chosen.every((x) => x.chunk !== c.chunk))
  addFrom(MIN_EXTRACTS, MIN_WEAK_SHARE, isOfOtherDocument)
  return chosen
}

const findExtracts = (request: AnswerRequest, quotable: number): Extracts => {
  const candidates = listAnswers(request)
  const maxScore = Math.max(0, ...candidates.map(({ score }) => score))
  const strong = candidates.filter(({ score }) => score >= MIN_FURTHER_SHARE * maxScore)
  const chosen = chooseExtracts(candidates.filter(({ chunk }) => chunk < quotable))
  return {
    extracts: chosen.map(({ text, chunk }) => ({ text: truncateStatement(text), chunk })),
    documents: [...new Set(strong.map(({ document }) => document))],
  }
}

/** Creates an answerer that quotes the statements most relevant to the question, each with its citation. */
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
  findExtracts,
})
