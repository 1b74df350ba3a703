import type { WordSpan } from "../../contracts/words.ts"
import { stem } from "../../text/stem.ts"
import { isContentWord } from "../../text/stop-words.ts"
import { normalise, wordsOf } from "../../text/tokens.ts"
import { endsSentence } from "../../text/utterances.ts"

/** A run of one to three content words that stood side by side. */
export type Phrase = {
  readonly stems: readonly string[]
  count: number
  /** How it was written, with votes. */
  readonly forms: Map<string, number>
}

export type PhraseCounts = {
  /** By the stems joined with a space. */
  readonly phrases: ReadonlyMap<string, Phrase>
  /** Number of content words. */
  readonly total: number
}

const MAX_WORDS = 3
/** A silence of this many seconds parts a phrase. */
const PHRASE_PAUSE_S = 0.6
/** A form at the head of a sentence tells little about capitals. */
const HEAD_VOTE = 0.1

type Token = { written: string; stem: string; head: boolean }

/** Counts the phrases of words `first` to `end` (exclusive). `stop` holds the words that no phrase may contain. */
export const phrasesOf = (
  words: readonly WordSpan[],
  first: number,
  end: number,
  stop: ReadonlySet<string>,
): PhraseCounts => {
  const phrases = new Map<string, Phrase>()
  let total = 0
  let run: Token[] = []
  const flush = (): void => {
    for (let i = 0; i < run.length; i++)
      for (let n = 1; n <= MAX_WORDS && i + n <= run.length; n++) {
        const part = run.slice(i, i + n)
        const stems = part.map((t) => t.stem)
        if (new Set(stems).size < n) continue
        const key = stems.join(" ")
        let phrase = phrases.get(key)
        if (!phrase) {
          phrase = { stems, count: 0, forms: new Map() }
          phrases.set(key, phrase)
        }
        phrase.count++
        const form = part.map((t) => t.written).join(" ")
        phrase.forms.set(form, (phrase.forms.get(form) ?? 0) + (part[0]!.head ? HEAD_VOTE : 1))
      }
    run = []
  }
  let head = true
  for (let i = first; i < end; i++) {
    const span = words[i]!
    const before = words[i - 1]
    if (before && (before.speaker !== span.speaker || span.start - before.end >= PHRASE_PAUSE_S)) flush()
    const tokens = wordsOf(span.word)
    if (tokens.length === 0) flush()
    for (const written of tokens) {
      const token = normalise(written)
      if (!isContentWord(token, stop)) {
        flush()
      } else {
        total++
        run.push({ written: head ? lowerHead(written) : written, stem: stem(token), head })
      }
      head = false
    }
    if (/[,;:.!?…)\]"”]$/u.test(span.word)) flush()
    if (endsSentence(span.word)) head = true
  }
  flush()
  return { phrases, total }
}

/** "Database" at the head of a sentence is written "database" elsewhere; "NASA" and "iPhone" stay. */
const lowerHead = (word: string): string =>
  /^\p{Lu}[\p{Ll}'’-]*$/u.test(word) ? word[0]!.toLowerCase() + word.slice(1) : word

/** The form with most votes; of equal ones the shorter, then the first in code order. */
export const bestForm = (phrase: Phrase): string => {
  const forms = [...phrase.forms]
  forms.sort(([a, x], [b, y]) => y - x || a.length - b.length || (a < b ? -1 : 1))
  return forms[0]![0]
}
