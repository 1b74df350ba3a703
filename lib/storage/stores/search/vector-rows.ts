import { type ChunkScope, type DocumentKind, type Hit, includesKind } from "../ports/documents.ts"

const compareHits = (a: Hit, b: Hit): number => b.score - a.score || a.row - b.row

/** Keeps the hits with the highest scores. Equal scores are sorted by row. */
export class TopHits {
  /** The best hits so far and later ones. Sorted and truncated only when twice as many as wanted have accumulated. */
  #found: Hit[] = []
  /** The worst of the best hits when they were last truncated. Nothing after it can be among the best. */
  #last: Hit | undefined
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(row: number, score: number): void {
    const hit = { row, score }
    if (this.#last && compareHits(this.#last, hit) <= 0) return
    this.#found.push(hit)
    if (this.#found.length >= 2 * this.#limit) this.#truncate()
  }

  /** The hits, best first. */
  get hits(): Hit[] {
    this.#truncate()
    return this.#found
  }

  #truncate(): void {
    this.#found = this.#found.sort(compareHits).slice(0, this.#limit)
    this.#last = this.#found[this.#limit - 1]
  }
}

/** Returns a dot product. Four partial sums avoid that each addition waits for the one before. */
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

/** The number of vectors per block of memory. */
const BLOCK_SIZE = 1024

type Slot = { readonly row: number; readonly kind: DocumentKind }

/**
 * Holds the vectors of one embedding model in contiguous blocks of memory. A search is exact and compares the query with
 * every vector. The first vector determines the length; vectors of another length are ignored.
 */
export class VectorRows {
  readonly #slots: (Slot | null)[] = []
  readonly #slotByRow = new Map<number, number>()
  readonly #free: number[] = []
  readonly #blocks: Float32Array[] = []
  #dims = 0

  has(row: number): boolean {
    return this.#slotByRow.has(row)
  }

  set(row: number, kind: DocumentKind, vector: Float32Array): void {
    this.delete(row)
    if (this.#dims === 0) this.#dims = vector.length
    if (vector.length !== this.#dims) return
    const slotIndex = this.#free.pop() ?? this.#slots.length
    this.#slots[slotIndex] = { row, kind }
    this.#slotByRow.set(row, slotIndex)
    const block = Math.floor(slotIndex / BLOCK_SIZE)
    this.#blocks[block] ??= new Float32Array(BLOCK_SIZE * this.#dims)
    this.#blocks[block].set(vector, (slotIndex % BLOCK_SIZE) * this.#dims)
  }

  get(row: number): Float32Array | undefined {
    const slotIndex = this.#slotByRow.get(row)
    if (slotIndex === undefined) return undefined
    const at = (slotIndex % BLOCK_SIZE) * this.#dims
    return this.#blocks[Math.floor(slotIndex / BLOCK_SIZE)]!.subarray(at, at + this.#dims)
  }

  /** Deletes all other rows. */
  keepOnly(rows: ReadonlySet<number>): void {
    for (const row of [...this.#slotByRow.keys()]) if (!rows.has(row)) this.delete(row)
  }

  delete(row: number): void {
    const slotIndex = this.#slotByRow.get(row)
    if (slotIndex === undefined) return
    this.#slotByRow.delete(row)
    this.#slots[slotIndex] = null
    this.#free.push(slotIndex)
  }

  get size(): number {
    return this.#slotByRow.size
  }

  /**
   * Returns the rows by cosine similarity to a vector of unit length. Rows with a similarity of 0 or less are no hits.
   * @param isAllowed decides about rows of the kinds in scope
   */
  search(query: Float32Array, scope: ChunkScope, limit: number, isAllowed?: (row: number) => boolean): Hit[] {
    const best = new TopHits(limit)
    if (query.length !== this.#dims) return best.hits
    const kinds = (["clip", "file"] as const).filter((kind) => includesKind(kind, scope))
    for (let slotIndex = 0; slotIndex < this.#slots.length; slotIndex++) {
      const slot = this.#slots[slotIndex]!
      if (slot === null || !kinds.includes(slot.kind) || isAllowed?.(slot.row) === false) continue
      const sum = dot(
        query,
        this.#blocks[Math.floor(slotIndex / BLOCK_SIZE)]!,
        (slotIndex % BLOCK_SIZE) * this.#dims,
        this.#dims,
      )
      if (sum > 0) best.add(slot.row, Math.min(1, sum))
    }
    return best.hits
  }
}
