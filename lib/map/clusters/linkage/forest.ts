import { type DotRows, openDotRows } from "../../neighbors/simd.ts"
import type { PointSet } from "../../types.ts"

/**
 * The clusters of a running clustering as a disjoint-set forest (Galler and Fischer 1964): a slot for each row, and
 * each cluster lies in the slot of one of its rows, with the mean of its points and their number.
 */
export class ClusterForest {
  /** Clusters that are left. */
  active: number
  /** Their slots as of the last `sweep`. */
  alive: Int32Array
  /** Means of the clusters, a row each. */
  readonly means: DotRows
  /** Merges that a slot has seen: what was noted under an older stamp holds for a smaller cluster than the one there now. */
  readonly stamp: Int32Array
  private readonly dims: number
  private readonly sizes: Int32Array
  /** Slot → slot it was merged into; itself while alive. */
  private readonly mergedInto: Int32Array

  /**
   * @param sizes points in each row; taken over, as the clusters' sizes.
   * @param others rows that one query is multiplied with at once, at most.
   * @param queries rows that may be queries at the same time.
   */
  constructor({ vectors, rows, dims }: PointSet, sizes: Int32Array, others: number, queries: number) {
    const slots = () => Int32Array.from({ length: rows }, (_, i) => i)
    this.active = rows
    this.dims = dims
    this.sizes = sizes
    this.means = openDotRows(vectors, rows, dims, others, Math.min(queries, rows))
    this.mergedInto = slots()
    this.alive = slots()
    this.stamp = new Int32Array(rows)
  }

  isAlive(slot: number): boolean {
    return this.mergedInto[slot] === slot
  }

  /** The slot of the cluster that this one has become part of. */
  find(slot: number): number {
    let at = slot
    while (this.mergedInto[at] !== at) {
      this.mergedInto[at] = this.mergedInto[this.mergedInto[at]!]!
      at = this.mergedInto[at]!
    }
    return at
  }

  /** Mean cosine similarity of the points of two clusters. */
  similarity(a: number, b: number): number {
    this.means.others[0] = b
    return this.means.run(a, 1)[0]!
  }

  /** b becomes part of a. @returns the share of b in what a is now. */
  unite(a: number, b: number): number {
    const size = this.sizes[a]! + this.sizes[b]!
    const share = this.sizes[b]! / size
    const { heap, stride } = this.means
    for (let i = a * stride, j = b * stride, end = i + this.dims; i < end; i++, j++)
      heap[i]! += share * (heap[j]! - heap[i]!)
    this.sizes[a] = size
    this.mergedInto[b] = a
    this.stamp[a]!++
    this.active--
    return share
  }

  /** Forgets the slots that were merged into others. */
  sweep(): void {
    this.alive = this.alive.filter((slot) => this.isAlive(slot))
  }
}
