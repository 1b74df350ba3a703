import type { SearchTerm } from "../ports/documents.ts"
import { stemsOf } from "../search/stems.ts"

const K1 = 1.2
const B = 0.75

/** Separates fields, so that no phrase matches across two of them. */
const FIELD_SEPARATOR = ""

/**
 * A full-text index in memory: an inverted index over stems, ranked by BM25 (Robertson and Zaragoza 2009) with the
 * constants of FTS5, so that all stores rank alike.
 */
export class TextRows {
  readonly #postings = new Map<string, Map<number, number>>()
  readonly #lengths = new Map<number, number>()
  /** The stems of each row in order. */
  readonly #sequences = new Map<number, readonly string[]>()
  #total = 0

  add(row: number, fields: readonly string[]): void {
    const sequence = fields.flatMap((field) => [...stemsOf(field), FIELD_SEPARATOR])
    const stems = sequence.filter((s) => s !== FIELD_SEPARATOR)
    for (const s of stems) {
      const rows = this.#postings.get(s) ?? new Map<number, number>()
      this.#postings.set(s, rows.set(row, (rows.get(row) ?? 0) + 1))
    }
    this.#sequences.set(row, sequence)
    this.#lengths.set(row, stems.length)
    this.#total += stems.length
  }

  delete(row: number): void {
    for (const s of new Set(this.#sequences.get(row) ?? [])) {
      const rows = this.#postings.get(s)
      rows?.delete(row)
      if (rows?.size === 0) this.#postings.delete(s)
    }
    this.#total -= this.#lengths.get(row) ?? 0
    this.#sequences.delete(row)
    this.#lengths.delete(row)
  }

  get size(): number {
    return this.#lengths.size
  }

  /** Returns the rows that contain the stems consecutively, with the number of occurrences. */
  #findPhrase(stems: readonly string[]): ReadonlyMap<number, number> {
    const [first, ...rest] = stems.map((s) => this.#postings.get(s))
    if (!first || rest.length === 0) return first ?? new Map()
    const found = new Map<number, number>()
    for (const row of first.keys()) {
      if (!rest.every((rows) => rows?.has(row))) continue
      const sequence = this.#sequences.get(row)!
      let times = 0
      for (let at = sequence.indexOf(stems[0]!); at >= 0; at = sequence.indexOf(stems[0]!, at + 1))
        if (stems.every((s, i) => sequence[at + i] === s)) times++
      if (times > 0) found.set(row, times)
    }
    return found
  }

  /** Returns the rows that contain a word. The parts of a word with punctuation must be consecutive. */
  findWord(word: string): number[] {
    return [...this.#findPhrase(stemsOf(word)).keys()]
  }

  score(terms: readonly SearchTerm[]): Map<number, number> {
    const scores = new Map<number, number>()
    const average = this.#total / Math.max(1, this.size)
    for (const { words, weight } of terms) {
      const rows = this.#findPhrase(words.flatMap(stemsOf))
      const idf = Math.max(1e-6, Math.log((this.size - rows.size + 0.5) / (rows.size + 0.5)))
      for (const [row, times] of rows) {
        const norm = K1 * (1 - B + (B * this.#lengths.get(row)!) / average)
        scores.set(row, (scores.get(row) ?? 0) + (weight * idf * times * (K1 + 1)) / (times + norm))
      }
    }
    return scores
  }
}
