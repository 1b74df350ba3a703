import { type DotRows, openDotRows } from "../../kernels/dot-products.ts"
import { DIRECTIONS, projectRows } from "../../neighbors/approximate-filter.ts"
import type { PointSet } from "../../types.ts"

/**
 * The clusters of a running clustering, as a disjoint-set forest (Galler and Fischer 1964). There is one slot per row. A
 * cluster occupies the slot of one of its rows, which holds the mean of its points and their number.
 */
export class ClusterForest {
  /** The number of clusters. */
  active: number
  /** The slots of the clusters as of the last call of `removeMerged`. */
  activeSlots: Int32Array
  /** The mean vectors of the clusters, one row per slot. */
  readonly means: DotRows
  /** The mean vectors, projected on a few directions; null if all searches are exact. */
  readonly projectedMeans: DotRows | null
  /** The number of merges into each slot. A similarity that was computed at another version is out of date. */
  readonly version: Int32Array
  private readonly dims: number
  private readonly sizes: Int32Array
  /** The slot that each slot was merged into, or the slot itself if it is active. */
  private readonly mergedInto: Int32Array

  /**
   * @param sizes number of points of each row; becomes the sizes of the clusters and is modified
   * @param maxOthers the maximum number of rows that one query is multiplied with in one call
   * @param maxQueries the maximum number of rows that are queries at the same time
   * @param isApproximate true if searches may use projected means
   */
  constructor(
    { vectors, rows, dims }: PointSet,
    sizes: Int32Array,
    maxOthers: number,
    maxQueries: number,
    isApproximate: boolean,
  ) {
    const allSlots = () => Int32Array.from({ length: rows }, (_, i) => i)
    this.active = rows
    this.dims = dims
    this.sizes = sizes
    const querySlots = Math.min(maxQueries, rows)
    this.means = openDotRows(vectors, rows, dims, maxOthers, querySlots)
    const projections = isApproximate ? projectRows(vectors, rows, dims) : null
    this.projectedMeans = projections && openDotRows(projections, rows, DIRECTIONS, maxOthers, querySlots)
    this.mergedInto = allSlots()
    this.activeSlots = allSlots()
    this.version = new Int32Array(rows)
  }

  isActive(slot: number): boolean {
    return this.mergedInto[slot] === slot
  }

  /** Returns the slot of the cluster that this slot's cluster has been merged into. */
  find(slot: number): number {
    let at = slot
    while (this.mergedInto[at] !== at) {
      this.mergedInto[at] = this.mergedInto[this.mergedInto[at]!]!
      at = this.mergedInto[at]!
    }
    return at
  }

  /** Returns the mean cosine similarity of the points of two clusters. */
  similarity(a: number, b: number): number {
    this.means.others[0] = b
    return this.means.run(a, 1)[0]!
  }

  /** Merges b into a. @returns the share of b in the points of the merged cluster */
  merge(a: number, b: number): number {
    const size = this.sizes[a]! + this.sizes[b]!
    const share = this.sizes[b]! / size
    moveMean(this.means, this.dims, a, b, share)
    if (this.projectedMeans) moveMean(this.projectedMeans, DIRECTIONS, a, b, share)
    this.sizes[a] = size
    this.mergedInto[b] = a
    this.version[a]!++
    this.active--
    return share
  }

  /** Removes merged slots from `activeSlots`. */
  removeMerged(): void {
    this.activeSlots = this.activeSlots.filter((slot) => this.isActive(slot))
  }
}

/** Moves mean a towards mean b. */
const moveMean = ({ heap, stride }: DotRows, dims: number, a: number, b: number, share: number): void => {
  for (let i = a * stride, j = b * stride, end = i + dims; i < end; i++, j++) heap[i]! += share * (heap[j]! - heap[i]!)
}
