import { stem } from "../../text/stem.ts"
import { normalise, wordsOf } from "../../text/tokens.ts"

const K1 = 1.2
const B = 0.75

const plain = (word: string): string => normalise(word).normalize("NFD").replace(/\p{M}/gu, "")

/** The stems of a text, as often as they stand in it. */
const stemsOf = (text: string): string[] =>
  wordsOf(text).flatMap((w) =>
    plain(w)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .map(stem),
  )

/**
 * Full text in memory: an inverted index over stems, ranked by BM25 (Robertson and Zaragoza 2009) with the constants
 * that FTS5 has, so that both sides of the store rank alike.
 */
export class TextRows {
  readonly #postings = new Map<string, Map<number, number>>()
  readonly #lengths = new Map<number, number>()
  readonly #stems = new Map<number, string[]>()
  #total = 0

  add(row: number, text: string): void {
    const stems = stemsOf(text)
    for (const s of stems) {
      const rows = this.#postings.get(s) ?? new Map<number, number>()
      this.#postings.set(s, rows.set(row, (rows.get(row) ?? 0) + 1))
    }
    this.#stems.set(row, [...new Set(stems)])
    this.#lengths.set(row, stems.length)
    this.#total += stems.length
  }

  delete(row: number): void {
    for (const s of this.#stems.get(row) ?? []) {
      const rows = this.#postings.get(s)
      rows?.delete(row)
      if (rows?.size === 0) this.#postings.delete(s)
    }
    this.#total -= this.#lengths.get(row) ?? 0
    this.#stems.delete(row)
    this.#lengths.delete(row)
  }

  get size(): number {
    return this.#lengths.size
  }

  /** Rows that hold the word: every part of it, when punctuation parts it. */
  rowsWith(word: string): number[] {
    const [first, ...rest] = stemsOf(word).map((s) => this.#postings.get(s))
    return first ? [...first.keys()].filter((row) => rest.every((rows) => rows?.has(row))) : []
  }

  score(words: readonly string[]): Map<number, number> {
    const scores = new Map<number, number>()
    const average = this.#total / Math.max(1, this.size)
    for (const s of new Set(words.flatMap(stemsOf))) {
      const rows = this.#postings.get(s)
      if (!rows) continue
      const idf = Math.max(1e-6, Math.log((this.size - rows.size + 0.5) / (rows.size + 0.5)))
      for (const [row, times] of rows) {
        const norm = K1 * (1 - B + (B * this.#lengths.get(row)!) / average)
        scores.set(row, (scores.get(row) ?? 0) + (idf * times * (K1 + 1)) / (times + norm))
      }
    }
    return scores
  }
}
