import { stem } from "../../../domain/text/stem.ts"
import { normalise } from "../../../domain/text/tokens.ts"
import { utterancesOf } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { isContent, searchable } from "./question.ts"

/** Share of words that an utterance and a claim must have in common (Dice 1945) to be taken for the same. */
const ALIKE = 0.25

type Token = { readonly text: string; readonly start: number }

const tokens = (text: string): string[] => text.split(/\s+/).map(normalise).filter(Boolean)

/** Where the words of a claim follow each other in what was said; undefined when they do not. */
const quotedAt = (words: readonly WordSpan[], claim: string): number | undefined => {
  const said: Token[] = words.flatMap(({ word, start }) => tokens(word).map((text) => ({ text, start })))
  const wanted = tokens(claim)
  if (wanted.length === 0) return undefined
  for (let i = 0; i + wanted.length <= said.length; i++)
    if (wanted.every((text, k) => said[i + k]!.text === text)) return said[i]!.start
  return undefined
}

const stemsOf = (text: string): Set<string> => new Set(searchable(text).filter(isContent).map(stem))

const alike = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let both = 0
  for (const word of a) if (b.has(word)) both++
  return (2 * both) / Math.max(1, a.size + b.size)
}

/**
 * The second at which a claim was said, among the words of the passage that it is taken from: where it is quoted, else
 * the start of the utterance that has most of its words. Undefined when none is near to it.
 */
export const saidAt = (words: readonly WordSpan[], claim: string): number | undefined => {
  const quoted = quotedAt(words, claim)
  if (quoted !== undefined) return quoted
  const wanted = stemsOf(claim)
  let best = { score: ALIKE, at: undefined as number | undefined }
  for (const { first, end, start_s } of utterancesOf(words)) {
    const text = words.slice(first, end).map((w) => w.word)
    const score = alike(wanted, stemsOf(text.join(" ")))
    if (score > best.score) best = { score, at: start_s }
  }
  return best.at
}
