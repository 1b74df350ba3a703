import type { MergeTree, NeighbourGraph, PointSet } from "../types.ts"
import { Linkage } from "./linkage/linkage.ts"

/**
 * Exact average-linkage clustering by cosine distance, in memory linear in the points: for unit vectors the mean
 * pairwise distance of two clusters is 1 − mean(A)·mean(B). All pairs of clusters that are each other's nearest are
 * merged, round after round, which gives the same tree as merging the closest pair each time because average linkage
 * is reducible (Murtagh 1983; Müllner, "Modern hierarchical, agglomerative clustering algorithms", 2011; in rounds:
 * Sumengen et al., "Scaling hierarchical agglomerative clustering to billion-sized datasets", 2021).
 *
 * @param graph nearest rows of each row: they spare most of the searches.
 */
export const mergeTree = (points: PointSet, graph: NeighbourGraph): MergeTree => {
  const n = points.rowOf.length
  const merges = new Merges(Math.max(0, n - 1))
  const representative = new Int32Array(points.rows).fill(-1)
  const sizes = new Int32Array(points.rows)
  for (let p = 0; p < n; p++) {
    const row = points.rowOf[p]!
    if (sizes[row]!++ === 0) representative[row] = p
    else merges.add(representative[row]!, p, 0)
  }
  const linkage = new Linkage(points, graph, sizes)
  const parent = representative
  while (linkage.active > 1)
    linkage.round((into, from, distance) => merges.add(parent[into]!, parent[from]!, Math.max(0, distance)))
  return merges.sorted()
}

class Merges {
  private readonly left: Int32Array
  private readonly right: Int32Array
  private readonly distance: Float64Array
  private count = 0

  constructor(capacity: number) {
    this.left = new Int32Array(capacity)
    this.right = new Int32Array(capacity)
    this.distance = new Float64Array(capacity)
  }

  add(left: number, right: number, distance: number): void {
    this.left[this.count] = left
    this.right[this.count] = right
    this.distance[this.count++] = distance
  }

  sorted(): MergeTree {
    const order = Uint32Array.from(this.distance.keys()).sort((a, b) => this.distance[a]! - this.distance[b]! || a - b)
    return {
      left: Int32Array.from(order, (i) => this.left[i]!),
      right: Int32Array.from(order, (i) => this.right[i]!),
      distance: Float64Array.from(order, (i) => this.distance[i]!),
    }
  }
}

export type Clusters = { readonly labels: Int32Array; readonly count: number }

/**
 * The partition at a threshold: clusters closer than it are one. The same as scikit-learn's AgglomerativeClustering
 * (metric cosine, average linkage, distance_threshold), with labels 0…count − 1 by first appearance.
 *
 * @param n points.
 */
export const cutTree = (tree: MergeTree, n: number, threshold: number): Clusters => {
  const parent = Int32Array.from({ length: n }, (_, i) => i)
  const root = (i: number): number => {
    let at = i
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!
      at = parent[at]!
    }
    return at
  }
  for (let i = 0; i < tree.distance.length && tree.distance[i]! < threshold; i++) {
    const a = root(tree.left[i]!)
    const b = root(tree.right[i]!)
    parent[Math.max(a, b)] = Math.min(a, b)
  }
  // A root is its cluster's smallest index, so it is met before its members.
  const labels = new Int32Array(n)
  let count = 0
  for (let i = 0; i < n; i++) {
    const r = root(i)
    labels[i] = r === i ? count++ : labels[r]!
  }
  return { labels, count }
}
