import { BestLists } from "./knn.ts"
import { NEIGHBOURS } from "./search.ts"
import { type DotRows, openDotRows, PANEL } from "./simd.ts"
import type { NeighbourGraph, PointSet } from "./types.ts"

/** Candidates that a cluster remembers. */
const LIST = NEIGHBOURS
/** Clusters whose nearest is searched in one pass over all others. */
const BATCH = 512
/** So few are searched one by one. */
const FEW = 2
/** Searches wait while a round merges more than one cluster in so many: else rounds would be many and hardly do anything. */
const SLOW = 50
/** Others that rows are multiplied with at once: they stay in the cache for all that search. */
const CHUNK = 128

/** In place of a nearest cluster: not looked for yet, or looked for in the list in vain. */
const UNKNOWN = -1
const UNSURE = -2

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
  /** Slot → the mark of the round in which it was another's nearest. */
  private readonly wanted: Int32Array
  /** Scratch: slot → the mark of the list that holds it. */
  private readonly seen: Int32Array
  /** Scratch: slot → its similarity in the list that is joined to another. */
  private readonly known: Float32Array
  private mark = 0
  private patient = true
  private readonly foundSlot = new Int32Array(2 * LIST)
  private readonly foundSimilarity = new Float32Array(2 * LIST)

  /** @param sizes points in each row; taken over, as the clusters' sizes. */
  constructor({ vectors, rows, dims }: PointSet, graph: NeighbourGraph, sizes: Int32Array) {
    const indices = () => Int32Array.from({ length: rows }, (_, i) => i)
    this.active = rows
    this.dims = dims
    this.means = openDotRows(vectors, rows, dims, CHUNK, Math.min(BATCH, rows))
    this.sizes = sizes
    this.mergedInto = indices()
    this.alive = indices()
    this.stamp = new Int32Array(rows)
    this.entry = new Int32Array(rows * LIST)
    this.entryStamp = new Int32Array(rows * LIST)
    this.entrySimilarity = new Float32Array(rows * LIST)
    this.entries = new Int32Array(rows)
    this.bound = new Float32Array(rows)
    this.nearest = new Int32Array(rows).fill(UNKNOWN)
    this.nearestStamp = new Int32Array(rows)
    this.seen = new Int32Array(rows)
    this.wanted = new Int32Array(rows)
    this.known = new Float32Array(rows)
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
    const before = this.active
    const unsure = this.findNearest()
    // Who is nobody's nearest merges with nobody yet: its search can wait until fewer are left to search through.
    this.search(this.patient ? unsure.filter((a) => this.wanted[a] === this.mark) : unsure)
    this.mergePairs(merged)
    if (this.active === before && unsure.some((a) => this.nearest[a]! < 0)) {
      this.search(unsure.filter((a) => this.nearest[a]! < 0))
      this.mergePairs(merged)
    }
    // Rounding can turn equal similarities into a ring of nearest neighbours; then the best pair of all breaks it.
    if (this.active === before) {
      const a = this.alive.reduce((x, y) => (this.topSimilarity(y) > this.topSimilarity(x) ? y : x))
      this.merge(Math.min(a, this.nearest[a]!), Math.max(a, this.nearest[a]!), merged)
    }
    this.patient = (before - this.active) * SLOW > before
    this.alive = this.alive.filter((a) => this.mergedInto[a] === a)
  }

  private mergePairs(merged: (into: number, from: number, distance: number) => void): void {
    for (const a of this.alive) {
      const b = this.nearest[a]!
      if (b > a && this.mergedInto[b] === b && this.nearest[b] === a) this.merge(a, b, merged)
    }
  }

  private topSimilarity(a: number): number {
    return this.entrySimilarity[a * LIST]!
  }

  /** Settles whose nearest is certain. @returns the others: something outside their lists may be nearer. */
  private findNearest(): number[] {
    const unsure: number[] = []
    for (const a of this.alive) {
      const b = this.nearest[a]!
      if (b >= 0 && this.stamp[b] === this.nearestStamp[a] && this.mergedInto[b] === b) continue
      // What is unsure stays so until it is searched for: others only merge, which brings none of them nearer.
      if (b !== UNSURE && !this.settleByList(a)) this.nearest[a] = UNSURE
      if (this.nearest[a] === UNSURE) unsure.push(a)
    }
    this.mark++
    for (const a of this.alive) if (this.nearest[a]! >= 0) this.wanted[this.nearest[a]!] = this.mark
    return unsure
  }

  private settle(a: number): void {
    const b = this.entry[a * LIST]!
    this.nearest[a] = b
    this.nearestStamp[a] = this.stamp[b]!
  }

  /**
   * Brings the head of a list up to date: what stands there is the nearest when it is as it was, and as similar as the
   * bound asks. @returns whether that is so.
   */
  private settleByList(a: number): boolean {
    const { entry, entryStamp, entrySimilarity, bound } = this
    const first = a * LIST
    while (this.entries[a]! > 0 && entrySimilarity[first]! >= bound[a]!) {
      const slot = this.find(entry[first]!)
      if (this.isFresh(first, slot)) {
        this.settle(a)
        return true
      }
      const last = first + this.entries[a]! - 1
      const similarity = this.stands(slot, first + 1, last) ? Number.NEGATIVE_INFINITY : this.similarity(a, slot)
      let at = first
      for (; at < last && entrySimilarity[at + 1]! >= similarity; at++) {
        if (entrySimilarity[at + 1] === similarity && entry[at + 1]! > slot) break
        entry[at] = entry[at + 1]!
        entryStamp[at] = entryStamp[at + 1]!
        entrySimilarity[at] = entrySimilarity[at + 1]!
      }
      if (similarity === Number.NEGATIVE_INFINITY) {
        this.entries[a]!--
        continue
      }
      entry[at] = slot
      entryStamp[at] = this.stamp[slot]!
      entrySimilarity[at] = similarity
    }
    return false
  }

  /** Whether a slot stands in this part of a list as it is now. */
  private stands(slot: number, from: number, last: number): boolean {
    for (let e = from; e <= last; e++) if (this.entry[e] === slot && this.isFresh(e, slot)) return true
    return false
  }

  /**
   * Makes the list of b part of that of a, which it was merged into. Who stood in both has the mean of its similarities
   * (Lance and Williams 1967); who stood in one is multiplied with.
   */
  private join(a: number, b: number, share: number): void {
    const { entry, entrySimilarity, seen, known, means } = this
    const ofB = ++this.mark
    const done = ++this.mark
    const [endA, endB] = [a * LIST + this.entries[a]!, b * LIST + this.entries[b]!]
    for (let e = b * LIST; e < endB; e++) {
      const slot = this.find(entry[e]!)
      seen[slot] = ofB
      known[slot] = this.isFresh(e, slot) ? entrySimilarity[e]! : Number.NaN
    }
    seen[a] = done
    let count = 0
    let stale = 0
    for (let e = a * LIST; e < endA; e++) {
      const slot = this.find(entry[e]!)
      if (seen[slot] === done) continue
      const similarity =
        seen[slot] === ofB && this.isFresh(e, slot) ? mix(entrySimilarity[e]!, known[slot]!, share) : Number.NaN
      seen[slot] = done
      if (!Number.isNaN(similarity)) this.insert(count++, slot, similarity)
      else means.others[stale++] = slot
    }
    for (let e = b * LIST; e < endB; e++) {
      const slot = this.find(entry[e]!)
      if (seen[slot] === ofB) means.others[stale++] = slot
      seen[slot] = done
    }
    this.keep(a, count, stale)
  }

  private isFresh(e: number, slot: number): boolean {
    return slot === this.entry[e] && this.stamp[slot] === this.entryStamp[e]
  }

  /** What was found and what `means.others` names become the list of a, as far as it has room. */
  private keep(a: number, found: number, stale: number): void {
    const { entry, entryStamp, entrySimilarity, stamp, means } = this
    const similarities = means.run(a, stale)
    for (let i = 0; i < stale; i++) this.insert(found + i, means.others[i]!, similarities[i]!)
    const count = found + stale
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
    this.join(a, b, share)
    this.nearest[a] = UNKNOWN
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

  private search(slots: readonly number[]): void {
    for (let i = 0; i < slots.length; i += BATCH) this.searchBatch(slots.slice(i, i + BATCH))
  }

  /** Exact lists of these clusters, by their similarity to all that are alive. */
  private searchBatch(slots: readonly number[]): void {
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
    const { alive, means } = this
    slots.forEach((slot, q) => {
      means.setQuery(q, slot)
    })
    for (let from = 0; from < alive.length; from += CHUNK) {
      const part = alive.subarray(from, from + CHUNK)
      means.others.set(part)
      for (let first = 0; first < slots.length; first += PANEL) {
        const dots = means.runPanel(first / PANEL, part.length)
        for (let r = 0; r < part.length; r++) {
          for (let q = first; q < Math.min(first + PANEL, slots.length); q++) {
            const similarity = dots[PANEL * r + q - first]!
            if (similarity >= best.worst[q]! && part[r] !== slots[q]) best.offer(q, part[r]!, similarity)
          }
        }
      }
    }
  }
}

/** Minus infinity when either end is: then one list holds all the others, and so does the joint one. */
const mix = (a: number, b: number, share: number): number => (1 - share) * a + share * b
