import { BestLists, NEIGHBOURS } from "./knn.ts"
import { type DotRows, type DotTiles, openDotRows, openDotTiles, PANEL } from "./simd.ts"
import type { NeighbourGraph, PointSet } from "./types.ts"

/** Candidates that a cluster remembers. */
const LIST = NEIGHBOURS
/** Clusters whose nearest is searched in one pass over all others. */
const BATCH = 512
/** So few are searched one by one: a pass has to copy all others first. */
const FEW = 12
/** Others that one row is multiplied with at once. */
const CHUNK = 1024

/**
 * The clusters of a running clustering. Each knows some candidates and a bound: no cluster outside its list is more
 * similar. As merging never brings anything nearer than its nearer part was (reducibility), bounds stay true while
 * others merge, and a list is looked at again only when its nearest entry has gone.
 */
export class Linkage {
  active: number
  private readonly dims: number
  /** Means of the clusters, a row each. */
  private readonly means: DotRows
  private readonly sizes: Int32Array
  /** Slot → slot it was merged into; itself while alive. */
  private readonly mergedInto: Int32Array
  /** Merges that a slot has seen: an entry with an older stamp means a smaller cluster than the one there now. */
  private readonly stamp: Int32Array
  private readonly entry: Int32Array
  private readonly entryStamp: Int32Array
  private readonly entrySimilarity: Float32Array
  private readonly entries: Int32Array
  private readonly bound: Float32Array
  private readonly nearest: Int32Array
  private readonly nearestStamp: Int32Array
  private alive: Int32Array
  /** Scratch: slot → the mark of the list that holds it. */
  private readonly seen: Int32Array
  private mark = 0
  private readonly foundSlot = new Int32Array(2 * LIST)
  private readonly foundSimilarity = new Float32Array(2 * LIST)
  private readonly tiles: DotTiles

  /** @param sizes points in each row; taken over, as the clusters' sizes. */
  constructor({ vectors, rows, dims }: PointSet, graph: NeighbourGraph, sizes: Int32Array) {
    const indices = () => Int32Array.from({ length: rows }, (_, i) => i)
    this.active = rows
    this.dims = dims
    this.means = openDotRows(vectors, rows, dims, CHUNK)
    this.sizes = sizes
    this.mergedInto = indices()
    this.alive = indices()
    this.stamp = new Int32Array(rows)
    this.entry = new Int32Array(rows * LIST)
    this.entryStamp = new Int32Array(rows * LIST)
    this.entrySimilarity = new Float32Array(rows * LIST)
    this.entries = new Int32Array(rows)
    this.bound = new Float32Array(rows)
    this.nearest = new Int32Array(rows).fill(-1)
    this.nearestStamp = new Int32Array(rows)
    this.seen = new Int32Array(rows)
    this.tiles = openDotTiles(dims, Math.min(BATCH, rows))
    const k = Math.min(graph.k, LIST)
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < k; j++) {
        this.entry[i * LIST + j] = graph.indices[i * graph.k + j]!
        this.entrySimilarity[i * LIST + j] = graph.similarities[i * graph.k + j]!
      }
      this.entries[i] = k
      this.bound[i] = k < rows - 1 ? graph.similarities[i * graph.k + k - 1]! : Number.NEGATIVE_INFINITY
    }
  }

  /** Merges every pair of clusters that are each other's nearest: at least one. */
  round(merged: (into: number, from: number, distance: number) => void): void {
    this.findNearest()
    const before = this.active
    for (const a of this.alive) {
      const b = this.nearest[a]!
      if (b > a && this.mergedInto[b] === b && this.nearest[b] === a) this.merge(a, b, merged)
    }
    // Rounding can turn equal similarities into a ring of nearest neighbours; then the best pair of all breaks it.
    if (this.active === before) {
      const a = this.alive.reduce((x, y) => (this.topSimilarity(y) > this.topSimilarity(x) ? y : x))
      this.merge(Math.min(a, this.nearest[a]!), Math.max(a, this.nearest[a]!), merged)
    }
    this.alive = this.alive.filter((a) => this.mergedInto[a] === a)
  }

  private topSimilarity(a: number): number {
    return this.entrySimilarity[a * LIST]!
  }

  private findNearest(): void {
    const search: number[] = []
    for (const a of this.alive) {
      const b = this.nearest[a]!
      if (b >= 0 && this.stamp[b] === this.nearestStamp[a] && this.mergedInto[b] === b) continue
      this.refresh(a, [a])
      if (this.entries[a]! > 0 && this.topSimilarity(a) >= this.bound[a]!) this.settle(a)
      else search.push(a)
    }
    for (let i = 0; i < search.length; i += BATCH) this.search(search.slice(i, i + BATCH))
  }

  private settle(a: number): void {
    const b = this.entry[a * LIST]!
    this.nearest[a] = b
    this.nearestStamp[a] = this.stamp[b]!
  }

  /** Brings the lists of `from` up to date as the one list of slot a, most similar first. */
  private refresh(a: number, from: readonly number[]): void {
    const { entry, entryStamp, entrySimilarity, seen, stamp } = this
    const mark = ++this.mark
    seen[a] = mark
    let count = 0
    let stale = 0
    for (const list of from) {
      for (let e = list * LIST; e < list * LIST + this.entries[list]!; e++) {
        const slot = this.find(entry[e]!)
        if (seen[slot] === mark) continue
        seen[slot] = mark
        const fresh = from.length === 1 && slot === entry[e] && stamp[slot] === entryStamp[e]
        if (fresh) this.insert(count++, slot, entrySimilarity[e]!)
        else this.means.others[stale++] = slot
      }
    }
    const similarities = this.means.run(a, stale)
    for (let i = 0; i < stale; i++) this.insert(count++, this.means.others[i]!, similarities[i]!)
    const kept = Math.min(LIST, count)
    for (let i = 0; i < kept; i++) {
      entry[a * LIST + i] = this.foundSlot[i]!
      entryStamp[a * LIST + i] = stamp[this.foundSlot[i]!]!
      entrySimilarity[a * LIST + i] = this.foundSimilarity[i]!
    }
    this.entries[a] = kept
    if (kept < count) this.bound[a] = Math.max(this.bound[a]!, this.foundSimilarity[kept]!)
  }

  /** Into the first `count` of what was found, in order. */
  private insert(count: number, slot: number, similarity: number): void {
    const { foundSlot, foundSimilarity } = this
    let at = count
    for (; at > 0; at--) {
      const before = foundSimilarity[at - 1]!
      if (before > similarity || (before === similarity && foundSlot[at - 1]! < slot)) break
      foundSimilarity[at] = before
      foundSlot[at] = foundSlot[at - 1]!
    }
    foundSimilarity[at] = similarity
    foundSlot[at] = slot
  }

  private merge(a: number, b: number, merged: (into: number, from: number, distance: number) => void): void {
    merged(a, b, 1 - this.similarity(a, b))
    const size = this.sizes[a]! + this.sizes[b]!
    const share = this.sizes[b]! / size
    const { heap, stride } = this.means
    for (let i = a * stride, j = b * stride, end = i + this.dims; i < end; i++, j++)
      heap[i]! += share * (heap[j]! - heap[i]!)
    this.sizes[a] = size
    this.bound[a] = mix(this.bound[a]!, this.bound[b]!, share)
    this.mergedInto[b] = a
    this.stamp[a]!++
    this.active--
    this.refresh(a, [a, b])
    this.nearest[a] = -1
  }

  private find(slot: number): number {
    let at = slot
    while (this.mergedInto[at] !== at) {
      this.mergedInto[at] = this.mergedInto[this.mergedInto[at]!]!
      at = this.mergedInto[at]!
    }
    return at
  }

  private similarity(a: number, b: number): number {
    this.means.others[0] = b
    return this.means.run(a, 1)[0]!
  }

  /** Exact lists of these clusters, by their similarity to all that are alive. */
  private search(slots: readonly number[]): void {
    const others = this.alive.length - 1
    const k = Math.min(LIST, others)
    const best = new BestLists(slots.length, k)
    if (slots.length <= FEW) slots.forEach((slot, q) => void this.searchOne(slot, q, best))
    else this.searchMany(slots, best)
    slots.forEach((slot, q) => {
      for (let i = 0; i < k; i++) {
        this.entry[slot * LIST + i] = best.indices[q * k + i]!
        this.entryStamp[slot * LIST + i] = this.stamp[best.indices[q * k + i]!]!
        this.entrySimilarity[slot * LIST + i] = best.similarities[q * k + i]!
      }
      this.entries[slot] = k
      this.bound[slot] = k < others ? best.similarities[q * k + k - 1]! : Number.NEGATIVE_INFINITY
      this.settle(slot)
    })
  }

  private searchOne(slot: number, q: number, best: BestLists): void {
    const { alive, means } = this
    for (let from = 0; from < alive.length; from += CHUNK) {
      const part = alive.subarray(from, from + CHUNK)
      means.others.set(part)
      const similarities = means.run(slot, part.length)
      for (let i = 0; i < part.length; i++)
        if (similarities[i]! >= best.worst[q]! && part[i] !== slot) best.offer(q, part[i]!, similarities[i]!)
    }
  }

  private searchMany(slots: readonly number[], best: BestLists): void {
    const { alive, tiles } = this
    const { heap, stride } = this.means
    slots.forEach((slot, q) => {
      tiles.setQuery(q, heap, slot * stride)
    })
    for (let from = 0; from < alive.length; from += tiles.blockRows) {
      const rows = Math.min(tiles.blockRows, alive.length - from)
      for (let r = 0; r < rows; r++) tiles.setRow(r, heap, alive[from + r]! * stride)
      for (let first = 0; first < slots.length; first += PANEL) {
        const dots = tiles.run(first / PANEL, rows)
        for (let r = 0; r < rows; r++) {
          for (let q = first; q < Math.min(first + PANEL, slots.length); q++) {
            const similarity = dots[PANEL * r + q - first]!
            if (similarity >= best.worst[q]! && alive[from + r] !== slots[q])
              best.offer(q, alive[from + r]!, similarity)
          }
        }
      }
    }
  }
}

/** Minus infinity when either end is: then one list holds all the others, and so does the joint one. */
const mix = (a: number, b: number, share: number): number => (1 - share) * a + share * b
