import type { WordEdit } from "#lib/domain/transcript/word-edits.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"

/** How many words the two have in common at their beginning, and after it at their end. */
const countCommonWords = (a: readonly string[], b: readonly string[]): { head: number; tail: number } => {
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  return { head, tail }
}

/**
 * What has to be corrected so that a paragraph reads as it was written over: null when nothing changed. Only the words
 * that differ are named, so that the others keep the times at which they were heard.
 */
export const createTextEdit = (words: readonly WordSpan[], text: string): WordEdit | null => {
  const said = text.trim().split(/\s+/).filter(Boolean)
  const heard = words.map((w) => w.word)
  const { head, tail } = countCommonWords(heard, said)
  if (head === heard.length && head === said.length) return null
  // What is only put in goes together with a word beside it: an edit names the words that it replaces.
  const widen = head + tail === heard.length
  const from = widen && head > 0 ? head - 1 : head
  const cutTail = widen && head === 0 ? tail - 1 : tail
  const old = words.slice(from, heard.length - cutTail)
  return {
    kind: "text",
    start_s: old[0]!.start,
    end_s: old.reduce((end, w) => Math.max(end, w.end), 0),
    of: old[0]!.speaker,
    words: said.slice(from, said.length - cutTail),
  }
}

/** The span of some words, for saying whose they are. */
export const getWordRange = (words: readonly WordSpan[]) => ({
  start_s: words[0]!.start,
  end_s: words.reduce((end, w) => Math.max(end, w.end), 0),
  of: words[0]!.speaker,
})
