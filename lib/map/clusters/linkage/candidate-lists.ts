import { DEFAULT_NEIGHBORS } from "../../neighbors/pair-search.ts"
import type { SortedTopLists } from "../../neighbors/top-lists.ts"
import type { NeighborGraph } from "../../types.ts"
import type { ClusterForest } from "./cluster-forest.ts"

/** Candidates that a cluster keeps. */
export const MAX_CANDIDATES = DEFAULT_NEIGHBORS

/**
 * The candidates for the nearest cluster of each cluster, most similar first, and a bound: no cluster outside the list
 * is more similar than the bound. Because average linkage is reducible, a merged cluster is never more similar to a
 * third one than the more similar of its two parts was. The bounds therefore stay valid while other clusters merge.
 */
export class CandidateLists {
  private readonly slot: Int32Array
  /** The version of the candidate at the time when its similarity was computed. */
  private readonly version: Int32Array
  private readonly similarity: Float32Array
  private readonly count: Int32Array
  private readonly bound: Float32Array
  /** Scratch: the mark of the last list that contained each slot. */
  private readonly seen: Int32Array
  /** Scratch: the similarity of each slot in the list that is being merged into another. */
  private readonly known: Float32Array
  private mark = 0
  private readonly merged = new MergedList(2 * MAX_CANDIDATES)

  constructor(
    private readonly forest: ClusterForest,
    graph: NeighborGraph,
  ) {
    const rows = forest.active
    this.slot = new Int32Array(rows * MAX_CANDIDATES)
    this.version = new Int32Array(rows * MAX_CANDIDATES)
    this.similarity = new Float32Array(rows * MAX_CANDIDATES)
    this.count = new Int32Array(rows)
    this.bound = new Float32Array(rows)
    this.seen = new Int32Array(rows)
    this.known = new Float32Array(rows)
    const k = Math.min(graph.k, MAX_CANDIDATES)
    for (let i = 0; i < rows; i++) this.fill(i, graph, i * graph.k, k, rows - 1)
  }

  head(a: number): number {
    return this.slot[a * MAX_CANDIDATES]!
  }

  headSimilarity(a: number): number {
    return this.similarity[a * MAX_CANDIDATES]!
  }

  /** Replaces the list of a by the k results of query q. `others` is the number of clusters that were searched. */
  replace(a: number, results: SortedTopLists, q: number, k: number, others: number): void {
    this.fill(a, results, q * k, k, others)
  }

  private fill(
    a: number,
    from: Pick<NeighborGraph, "indices" | "similarities">,
    at: number,
    k: number,
    others: number,
  ) {
    for (let i = 0; i < k; i++) this.put(a * MAX_CANDIDATES + i, from.indices[at + i]!, from.similarities[at + i]!)
    this.count[a] = k
    this.bound[a] = k < others ? from.similarities[at + k - 1]! : Number.NEGATIVE_INFINITY
  }

  private put(e: number, slot: number, similarity: number): void {
    this.slot[e] = slot
    this.version[e] = this.forest.version[slot]!
    this.similarity[e] = similarity
  }

  /** Returns true if entry e is for this slot and its similarity is up to date. */
  private isCurrent(e: number, slot: number): boolean {
    return slot === this.slot[e] && this.forest.version[slot] === this.version[e]
  }

  /**
   * Updates the head of a list until it is current. Returns true if the head is the nearest cluster, and false if a
   * cluster outside the list could be nearer.
   */
  updateHead(a: number): boolean {
    const first = a * MAX_CANDIDATES
    while (this.count[a]! > 0 && this.similarity[first]! >= this.bound[a]!) {
      const slot = this.forest.find(this.slot[first]!)
      if (this.isCurrent(first, slot)) return true
      const last = first + this.count[a]! - 1
      if (this.hasCurrentEntry(slot, first + 1, last)) this.removeHead(a)
      else this.reinsertHead(first, last, slot, this.forest.similarity(a, slot))
    }
    return false
  }

  private hasCurrentEntry(slot: number, from: number, last: number): boolean {
    for (let e = from; e <= last; e++) if (this.slot[e] === slot && this.isCurrent(e, slot)) return true
    return false
  }

  private removeHead(a: number): void {
    const first = a * MAX_CANDIDATES
    const last = first + this.count[a]!-- - 1
    for (let at = first; at < last; at++) this.copyEntry(at + 1, at)
  }

  private copyEntry(from: number, to: number): void {
    this.slot[to] = this.slot[from]!
    this.version[to] = this.version[from]!
    this.similarity[to] = this.similarity[from]!
  }

  /** Moves the head to its position by its new similarity. */
  private reinsertHead(first: number, last: number, slot: number, similarity: number): void {
    let at = first
    for (; at < last && this.similarity[at + 1]! >= similarity; at++) {
      if (this.similarity[at + 1] === similarity && this.slot[at + 1]! > slot) break
      this.copyEntry(at + 1, at)
    }
    this.put(at, slot, similarity)
  }

  /**
   * Merges the list of b into that of a, after b has been merged into a. The similarity of a candidate in both lists is
   * the weighted mean of the two (Lance and Williams 1967). For a candidate in only one list it is computed.
   *
   * @param share the share of b in the points of the merged cluster
   */
  mergeLists(a: number, b: number, share: number): void {
    const { seen, known, merged, forest } = this
    this.bound[a] = weightedMean(this.bound[a]!, this.bound[b]!, share)
    const inB = ++this.mark
    const done = ++this.mark
    const [endA, endB] = [a * MAX_CANDIDATES + this.count[a]!, b * MAX_CANDIDATES + this.count[b]!]
    for (let e = b * MAX_CANDIDATES; e < endB; e++) {
      const slot = forest.find(this.slot[e]!)
      seen[slot] = inB
      known[slot] = this.isCurrent(e, slot) ? this.similarity[e]! : Number.NaN
    }
    seen[a] = done
    merged.count = 0
    let toCompute = 0
    for (let e = a * MAX_CANDIDATES; e < endA; e++) {
      const slot = forest.find(this.slot[e]!)
      if (seen[slot] === done) continue
      const similarity =
        seen[slot] === inB && this.isCurrent(e, slot)
          ? weightedMean(this.similarity[e]!, known[slot]!, share)
          : Number.NaN
      seen[slot] = done
      if (!Number.isNaN(similarity)) merged.insert(slot, similarity)
      else forest.means.others[toCompute++] = slot
    }
    for (let e = b * MAX_CANDIDATES; e < endB; e++) {
      const slot = forest.find(this.slot[e]!)
      if (seen[slot] === inB) forest.means.others[toCompute++] = slot
      seen[slot] = done
    }
    this.storeMerged(a, toCompute)
  }

  /** Computes the similarities of the first `toCompute` of `means.others` and stores the best merged candidates for a. */
  private storeMerged(a: number, toCompute: number): void {
    const { merged, forest } = this
    const similarities = forest.means.run(a, toCompute)
    for (let i = 0; i < toCompute; i++) merged.insert(forest.means.others[i]!, similarities[i]!)
    const kept = Math.min(MAX_CANDIDATES, merged.count)
    for (let i = 0; i < kept; i++) this.put(a * MAX_CANDIDATES + i, merged.slots[i]!, merged.similarities[i]!)
    this.count[a] = kept
    if (kept < merged.count) this.bound[a] = Math.max(this.bound[a]!, merged.similarities[kept]!)
  }
}

/** Returns minus infinity if either is: if one list contains all other clusters, then so does the merged list. */
const weightedMean = (a: number, b: number, share: number): number => (1 - share) * a + share * b

/** Candidates sorted by similarity, most similar first, ties by lower slot. */
class MergedList {
  count = 0
  readonly slots: Int32Array
  readonly similarities: Float32Array

  constructor(capacity: number) {
    this.slots = new Int32Array(capacity)
    this.similarities = new Float32Array(capacity)
  }

  insert(slot: number, similarity: number): void {
    const { slots, similarities } = this
    let at = this.count++
    for (; at > 0; at--) {
      const before = similarities[at - 1]!
      if (before > similarity || (before === similarity && slots[at - 1]! < slot)) break
      similarities[at] = before
      slots[at] = slots[at - 1]!
    }
    slots[at] = slot
    similarities[at] = similarity
  }
}
