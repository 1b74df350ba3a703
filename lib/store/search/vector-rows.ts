import type { QueryScope } from "../../contracts/documents.ts"
import type { DocumentKind, Hit } from "./types.ts"

export const inScope = (kind: DocumentKind, scope: QueryScope): boolean =>
  scope === "all" || (scope === "clips") === (kind === "clip")

type Kept = { readonly kind: DocumentKind; readonly vector: Float32Array }

/** The k best of scored rows, best first; among equals the lower row. */
export class Best {
  readonly hits: Hit[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(row: number, score: number): void {
    const { hits } = this
    if (hits.length === this.#limit && !this.#before(row, score, hits[hits.length - 1]!)) return
    let low = 0
    let high = hits.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#before(row, score, hits[middle]!)) high = middle
      else low = middle + 1
    }
    hits.splice(low, 0, { row, score })
    if (hits.length > this.#limit) hits.pop()
  }

  #before(row: number, score: number, than: Hit): boolean {
    return score > than.score || (score === than.score && row < than.row)
  }
}

/** Vectors of one embedding model in memory, searched by comparing with each: exact, and linear in their number. */
export class VectorRows {
  readonly #rows = new Map<number, Kept>()

  has(row: number): boolean {
    return this.#rows.has(row)
  }

  set(row: number, kind: DocumentKind, vector: Float32Array): void {
    this.#rows.set(row, { kind, vector })
  }

  get(row: number): Float32Array | undefined {
    return this.#rows.get(row)?.vector
  }

  /** Forgets what is not among `rows`. */
  keepOnly(rows: ReadonlySet<number>): void {
    for (const row of this.#rows.keys()) if (!rows.has(row)) this.#rows.delete(row)
  }

  delete(row: number): void {
    this.#rows.delete(row)
  }

  get size(): number {
    return this.#rows.size
  }

  /** By cosine with a vector of unit length; what points away is no hit. */
  search(query: Float32Array, scope: QueryScope, limit: number): Hit[] {
    const best = new Best(limit)
    for (const [row, { kind, vector }] of this.#rows) {
      if (!inScope(kind, scope) || vector.length !== query.length) continue
      let sum = 0
      for (let i = 0; i < query.length; i++) sum += query[i]! * vector[i]!
      if (sum > 0) best.add(row, Math.min(1, sum))
    }
    return best.hits
  }
}
