import { firstWordFrom } from "../partition-point.ts"
import type { WordEdit } from "./word-edits.ts"
import type { WordSpan } from "./words.ts"

const middle = (w: WordSpan): number => (w.start + w.end) / 2

/** A word's middle lies behind its start by at most half of it; no word that counts is longer. */
const LONGEST_S = 30

type Span = { readonly start_s: number; readonly end_s: number; readonly of?: string | undefined }
const inSpan = (words: readonly WordSpan[], { start_s, end_s, of }: Span): number[] => {
  const found: number[] = []
  for (let i = firstWordFrom(words, start_s - LONGEST_S); i < words.length && words[i]!.start <= end_s; i++) {
    const m = middle(words[i]!)
    if (m >= start_s && m <= end_s) found.push(i)
  }
  const own = found.filter((i) => words[i]!.speaker === of)
  return own.length > 0 ? own : found
}

/** New words over the time of those they replace: one for one where they are as many, else by their letters. */
const retimed = (old: readonly WordSpan[], said: readonly string[]): WordSpan[] => {
  if (old.length === said.length) return old.map((w, i) => ({ ...w, word: said[i]! }))
  const start = old[0]!.start
  const end = old.reduce((e, w) => Math.max(e, w.end), start)
  const letters = said.reduce((sum, w) => sum + w.length, 0)
  let passed = 0
  return said.map((word) => {
    const from = start + ((end - start) * passed) / letters
    passed += word.length
    return { word, start: from, end: start + ((end - start) * passed) / letters, speaker: old[0]!.speaker }
  })
}

/** A transcript as people left it. Pure; starts do not fall in what comes out, as they did not in what went in. */
export const applyEdits = (heard: readonly WordSpan[], edits: readonly WordEdit[]): WordSpan[] => {
  let words = [...heard]
  for (const edit of edits) {
    if (edit.kind === "merge") {
      words = words.map((w) => (w.speaker === edit.from ? { ...w, speaker: edit.into } : w))
      continue
    }
    const at = inSpan(words, edit)
    if (at.length === 0) continue
    if (edit.kind === "speaker") {
      for (const i of at) words[i] = { ...words[i]!, speaker: edit.speaker }
      continue
    }
    const fresh = retimed(
      at.map((i) => words[i]!),
      edit.words,
    )
    const gone = new Set(at)
    // Voices overlap: a word put in may start after the one that follows the span.
    words = [...words.filter((_, i) => !gone.has(i)), ...fresh].sort((a, b) => a.start - b.start)
  }
  return words
}
