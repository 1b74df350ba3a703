import type { BestLists } from "../../neighbors/knn.ts"
import { NEIGHBOURS } from "../../neighbors/search.ts"
import type { NeighbourGraph } from "../../types.ts"
import type { ClusterForest } from "./forest.ts"
import { TopCandidates } from "./top-candidates.ts"

/** Candidates that a cluster remembers. */
export const LIST = NEIGHBOURS

/**
 * What each cluster knows of its neighbours: some candidates, most similar first, and a bound: no cluster outside its
 * list is more similar. As merging never brings anything nearer than its nearer part was (reducibility), bounds stay
 * true while others merge.
 */
export class CandidateLists {
  private readonly slot: Int32Array
  /** The stamp of the candidate when its similarity was taken. */
  private readonly stamp: Int32Array
  private readonly similarity: Float32Array
  private readonly count: Int32Array
  private readonly bound: Float32Array
  /** Scratch: slot → the mark of the list that holds it. */
  private readonly seen: Int32Array
  /** Scratch: slot → its similarity in the list that is joined to another. */
  private readonly known: Float32Array
  private mark = 0
  private readonly gathering = new TopCandidates(2 * LIST)

  constructor(
    private readonly forest: ClusterForest,
    graph: NeighbourGraph,
  ) {
    const rows = forest.active
    this.slot = new Int32Array(rows * LIST)
    this.stamp = new Int32Array(rows * LIST)
    this.similarity = new Float32Array(rows * LIST)
    this.count = new Int32Array(rows)
    this.bound = new Float32Array(rows)
    this.seen = new Int32Array(rows)
    this.known = new Float32Array(rows)
    const k = Math.min(graph.k, LIST)
    for (let i = 0; i < rows; i++) this.fill(i, graph, i * graph.k, k, rows - 1)
  }

  head(a: number): number {
    return this.slot[a * LIST]!
  }

  headSimilarity(a: number): number {
    return this.similarity[a * LIST]!
  }

  /** The list of a becomes what was found for query q among `others` clusters. */
  replace(a: number, best: BestLists, q: number, k: number, others: number): void {
    this.fill(a, best, q * k, k, others)
  }

  private fill(
    a: number,
    from: Pick<NeighbourGraph, "indices" | "similarities">,
    at: number,
    k: number,
    others: number,
  ) {
    for (let i = 0; i < k; i++) this.put(a * LIST + i, from.indices[at + i]!, from.similarities[at + i]!)
    this.count[a] = k
    this.bound[a] = k < others ? from.similarities[at + k - 1]! : Number.NEGATIVE_INFINITY
  }

  private put(e: number, slot: number, similarity: number): void {
    this.slot[e] = slot
    this.stamp[e] = this.forest.stamp[slot]!
    this.similarity[e] = similarity
  }

  private isFresh(e: number, slot: number): boolean {
    return slot === this.slot[e] && this.forest.stamp[slot] === this.stamp[e]
  }

  /**
   * Brings the head of a list up to date: what stands there is the nearest when it is as it was, and as similar as the
   * bound asks. @returns whether that is so.
   */
  settleHead(a: number): boolean {
    const first = a * LIST
    while (this.count[a]! > 0 && this.similarity[first]! >= this.bound[a]!) {
      const slot = this.forest.find(this.slot[first]!)
      if (this.isFresh(first, slot)) return true
      const last = first + this.count[a]! - 1
      if (this.stands(slot, first + 1, last)) this.drop(first, a)
      else this.sink(first, last, slot, this.forest.similarity(a, slot))
    }
    return false
  }

  /** Whether a slot stands in this part of a list as it is now. */
  private stands(slot: number, from: number, last: number): boolean {
    for (let e = from; e <= last; e++) if (this.slot[e] === slot && this.isFresh(e, slot)) return true
    return false
  }

  private drop(first: number, a: number): void {
    const last = first + this.count[a]!-- - 1
    for (let at = first; at < last; at++) this.move(at + 1, at)
  }

  private move(from: number, to: number): void {
    this.slot[to] = this.slot[from]!
    this.stamp[to] = this.stamp[from]!
    this.similarity[to] = this.similarity[from]!
  }

  /** The first entry, which has become this, goes where it belongs now. */
  private sink(first: number, last: number, slot: number, similarity: number): void {
    let at = first
    for (; at < last && this.similarity[at + 1]! >= similarity; at++) {
      if (this.similarity[at + 1] === similarity && this.slot[at + 1]! > slot) break
      this.move(at + 1, at)
    }
    this.put(at, slot, similarity)
  }

  /**
   * Makes the list of b part of that of a, which it was merged into. Who stood in both has the mean of its similarities
   * (Lance and Williams 1967); who stood in one is multiplied with.
   *
   * @param share of b in what a has become.
   */
  join(a: number, b: number, share: number): void {
    const { seen, known, gathering, forest } = this
    this.bound[a] = mix(this.bound[a]!, this.bound[b]!, share)
    const ofB = ++this.mark
    const done = ++this.mark
    const [endA, endB] = [a * LIST + this.count[a]!, b * LIST + this.count[b]!]
    for (let e = b * LIST; e < endB; e++) {
      const slot = forest.find(this.slot[e]!)
      seen[slot] = ofB
      known[slot] = this.isFresh(e, slot) ? this.similarity[e]! : Number.NaN
    }
    seen[a] = done
    gathering.count = 0
    let stale = 0
    for (let e = a * LIST; e < endA; e++) {
      const slot = forest.find(this.slot[e]!)
      if (seen[slot] === done) continue
      const similarity =
        seen[slot] === ofB && this.isFresh(e, slot) ? mix(this.similarity[e]!, known[slot]!, share) : Number.NaN
      seen[slot] = done
      if (!Number.isNaN(similarity)) gathering.insert(slot, similarity)
      else forest.means.others[stale++] = slot
    }
    for (let e = b * LIST; e < endB; e++) {
      const slot = forest.find(this.slot[e]!)
      if (seen[slot] === ofB) forest.means.others[stale++] = slot
      seen[slot] = done
    }
    this.keep(a, stale)
  }

  /** What was gathered and the first `stale` of `means.others` become the list of a, as far as it has room. */
  private keep(a: number, stale: number): void {
    const { gathering, forest } = this
    const similarities = forest.means.run(a, stale)
    for (let i = 0; i < stale; i++) gathering.insert(forest.means.others[i]!, similarities[i]!)
    const kept = Math.min(LIST, gathering.count)
    for (let i = 0; i < kept; i++) this.put(a * LIST + i, gathering.slots[i]!, gathering.similarities[i]!)
    this.count[a] = kept
    if (kept < gathering.count) this.bound[a] = Math.max(this.bound[a]!, gathering.similarities[kept]!)
  }
}

/** Minus infinity when either end is: then one list holds all the others, and so does the joint one. */
const mix = (a: number, b: number, share: number): number => (1 - share) * a + share * b
