import type { QueryScope } from "../../../domain/documents.ts"
import { partitionPoint } from "../../../domain/partition-point.ts"
import type { DocumentKind, Hit } from "../ports/documents.ts"

export const inScope = (kind: DocumentKind, scope: QueryScope): boolean =>
  scope === "all" || (scope === "clips") === (kind === "clip")

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
    const at = partitionPoint(hits.length, (i) => !this.#before(row, score, hits[i]!))
    hits.splice(at, 0, { row, score })
    if (hits.length > this.#limit) hits.pop()
  }

  #before(row: number, score: number, than: Hit): boolean {
    return score > than.score || (score === than.score && row < than.row)
  }
}

/** Dot product over `length` numbers; four sums, because one would wait for itself at every step. */
const dot = (a: Float32Array, b: Float32Array, at: number, length: number): number => {
  let [s0, s1, s2, s3] = [0, 0, 0, 0]
  const whole = length - (length % 4)
  for (let i = 0; i < whole; i += 4) {
    s0 += a[i]! * b[at + i]!
    s1 += a[i + 1]! * b[at + i + 1]!
    s2 += a[i + 2]! * b[at + i + 2]!
    s3 += a[i + 3]! * b[at + i + 3]!
  }
  for (let i = whole; i < length; i++) s0 += a[i]! * b[at + i]!
  return s0 + s1 + s2 + s3
}

/** Vectors a block: large enough that rows lie side by side, small enough to grow by. */
const BLOCK = 1024

type Slot = { readonly row: number; readonly kind: DocumentKind }

/**
 * Vectors of one embedding model in memory, side by side in blocks, searched by comparing with each: exact, and linear in
 * their number. The first vector says how long all are; a vector of another length is never found.
 */
export class VectorRows {
  /** What stands where; null where nothing does any more. */
  readonly #slots: (Slot | null)[] = []
  readonly #places = new Map<number, number>()
  readonly #free: number[] = []
  readonly #blocks: Float32Array[] = []
  #dims = 0

  has(row: number): boolean {
    return this.#places.has(row)
  }

  set(row: number, kind: DocumentKind, vector: Float32Array): void {
    this.delete(row)
    if (this.#dims === 0) this.#dims = vector.length
    if (vector.length !== this.#dims) return
    const place = this.#free.pop() ?? this.#slots.length
    this.#slots[place] = { row, kind }
    this.#places.set(row, place)
    const block = Math.floor(place / BLOCK)
    this.#blocks[block] ??= new Float32Array(BLOCK * this.#dims)
    this.#blocks[block].set(vector, (place % BLOCK) * this.#dims)
  }

  get(row: number): Float32Array | undefined {
    const place = this.#places.get(row)
    if (place === undefined) return undefined
    const at = (place % BLOCK) * this.#dims
    return this.#blocks[Math.floor(place / BLOCK)]!.subarray(at, at + this.#dims)
  }

  /** Forgets what is not among `rows`. */
  keepOnly(rows: ReadonlySet<number>): void {
    for (const row of [...this.#places.keys()]) if (!rows.has(row)) this.delete(row)
  }

  delete(row: number): void {
    const place = this.#places.get(row)
    if (place === undefined) return
    this.#places.delete(row)
    this.#slots[place] = null
    this.#free.push(place)
  }

  get size(): number {
    return this.#places.size
  }

  /** By cosine with a vector of unit length; what points away is no hit. */
  search(query: Float32Array, scope: QueryScope, limit: number): Hit[] {
    const best = new Best(limit)
    if (query.length !== this.#dims) return best.hits
    for (let place = 0; place < this.#slots.length; place++) {
      const slot = this.#slots[place]!
      if (slot === null || !inScope(slot.kind, scope)) continue
      const sum = dot(query, this.#blocks[Math.floor(place / BLOCK)]!, (place % BLOCK) * this.#dims, this.#dims)
      if (sum > 0) best.add(slot.row, Math.min(1, sum))
    }
    return best.hits
  }
}
