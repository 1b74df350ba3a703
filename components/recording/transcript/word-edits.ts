import type { WordEdit } from "#lib/domain/transcript/word-edits.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"

/** Counts the words that two lists share at the start and, after that, at the end. */
const countCommonWords = (a: readonly string[], b: readonly string[]): { head: number; tail: number } => {
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  return { head, tail }
}

/**
 * Returns the edit that turns a paragraph into `text`, or null if nothing changed. The edit covers only the words that
 * differ, so that the others keep their times.
 */
export const createTextEdit = (words: readonly WordSpan[], text: string): WordEdit | null => {
  const said = text.trim().split(/\s+/).filter(Boolean)
  const heard = words.map((w) => w.word)
  const { head, tail } = countCommonWords(heard, said)
  if (head === heard.length && head === said.length) return null
  // An edit must replace at least one word, so an insertion includes a neighboring word.
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

/** Returns the time range and speaker of some words. */
export const getWordRange = (words: readonly WordSpan[]) => ({
  start_s: words[0]!.start,
  end_s: words.reduce((end, w) => Math.max(end, w.end), 0),
  of: words[0]!.speaker,
})
