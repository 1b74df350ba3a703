import { readAs } from "../../../domain/text/irregular.ts"
import { stem } from "../../../domain/text/stem.ts"
import { isContentWord, STOP_WORDS } from "../../../domain/text/stop-words.ts"
import { normalise, wordsOf } from "../../../domain/text/tokens.ts"
import { type Answerer, type AnswerRequest, NOT_IN_DOCUMENTS } from "../types.ts"
import { asks, type Candidate, candidatesOf } from "./candidates.ts"

const MAX_SENTENCES = 3
/** A longer sentence is no sentence but a table or a list: it is shown up to here. */
const MAX_CHARACTERS = 600
/** Share of the question's weight that the first sentence must hold to be an answer; of a long question, that of few words. */
const ENOUGH = 0.3
const ENOUGH_WORDS = 1.4
/** A further sentence must hold this share of what the best one holds. */
const WORTH_ADDING = 0.6
/** What a word of the question that no sentence holds may weigh, against the rarest that one holds. */
const ABSENT = 1.25
/** What a word counts that stands not in the sentence but in the question before it, which it answers. */
const ASKED_BEFORE = 0.7
/** A passage lower in the list counts less, by this share for each place. */
const PER_RANK = 0.03

const questionWords = (question: string): string[] => {
  const words = wordsOf(question).map(normalise)
  const content = words.filter((w) => isContentWord(w, STOP_WORDS) || /\d/.test(w))
  return content.length > 0 ? content : words
}

/** A heading that only repeats the question's words tells nothing; a whole sentence may affirm them. */
const tells = ({ text, stems }: Candidate, asked: readonly string[]): boolean =>
  /[.!?…。！？]["'”’»)\]]*$/u.test(text) || [...stems].some((s) => !STOP_WORDS.has(s) && !asked.includes(s))

/**
 * Words that few of the candidate sentences hold tell more than words that all of them hold. One that none holds counts
 * little more than the rarest that is there: "what colour is it" is answered by a sentence that never says colour.
 */
const weightsOf = (stems: readonly string[], candidates: readonly Candidate[]): Map<string, number> => {
  const rarity = (times: number): number => Math.log(1 + (candidates.length + 1) / (times + 0.5))
  const times = new Map(stems.map((s) => [s, candidates.filter((c) => c.stems.has(s)).length]))
  const rarest = Math.max(0, ...[...times.values()].filter((n) => n > 0).map(rarity))
  return new Map(
    stems.map((s) => [s, times.get(s)! > 0 ? rarity(times.get(s)!) : Math.min(rarity(0), ABSENT * rarest)]),
  )
}

const shown = (text: string): string => {
  const line = text.replace(/\s+/g, " ")
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS).replace(/\s+\S*$/, "")} …`
}

/**
 * Picks the sentences that hold most of the question's weight, each next one for what it adds (maximal marginal
 * relevance, Carbonell and Goldstein 1998). Empty when not even the best one holds enough.
 */
const pick = (request: AnswerRequest): Candidate[] => {
  const words = questionWords(request.question)
  const stems = [...new Set(words.map(stem))]
  const statements = candidatesOf(request, readAs(words)).filter((candidate) => tells(candidate, stems))
  const weights = weightsOf(stems, statements)
  const candidates = statements.filter((c) => !asks(c.text))
  const total = [...weights.values()].reduce((a, b) => a + b, 0)
  const chosen: Candidate[] = []
  const told = new Set<string>()
  const score = (c: Candidate): number => {
    let sum = 0
    for (const [s, weight] of weights) {
      const held = c.stems.has(s) ? 1 : c.answers.has(s) ? ASKED_BEFORE : 0
      sum += held * (told.has(s) ? weight / 3 : weight)
    }
    return sum * c.favour * (1 - Math.min(0.5, c.passage * PER_RANK))
  }
  const enough = total * Math.min(ENOUGH, ENOUGH_WORDS / Math.max(1, weights.size))
  let first = 0
  while (chosen.length < MAX_SENTENCES) {
    const [best, value] = candidates
      .filter((c) => !chosen.some((x) => x.text === c.text))
      .map((c) => [c, score(c)] as const)
      .reduce<readonly [Candidate | null, number]>((a, b) => (b[1] > a[1] ? b : a), [null, 0])
    if (best === null || (chosen.length === 0 ? value < enough : value < WORTH_ADDING * first)) break
    if (chosen.length === 0) first = value
    chosen.push(best)
    for (const s of [...best.stems, ...best.answers]) told.add(s)
  }
  return chosen.sort((a, b) => a.passage - b.passage || a.at - b.at)
}

/** Answers by extraction: the sentences of the passages that say most about the question, each with its citation. */
export const createBuiltinAnswerer = (): Answerer => ({
  provider: "builtin",
  model: null,
  async *answer(request, signal) {
    const chosen = pick(request)
    if (chosen.length === 0) return yield request.nowhere ?? NOT_IN_DOCUMENTS
    for (const [i, { text, passage }] of chosen.entries()) {
      signal.throwIfAborted()
      yield `${i > 0 ? " " : ""}${shown(text)} [${passage + 1}]`
    }
  },
})
