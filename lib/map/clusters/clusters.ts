import { APPROXIMATE_MIN_ROWS } from "../neighbors/approximate-filter.ts"
import type { MergeTree, NeighborGraph, PointSet } from "../types.ts"
import { Linkage } from "./linkage/linkage.ts"

/**
 * Computes an average-linkage clustering by cosine distance, in memory linear in the number of points. It is exact up to
 * 20 000 rows; with more, a search may miss the nearest cluster. For unit vectors, the mean pairwise distance of two clusters is 1 − mean(A) · mean(B), so no distance matrix is needed.
 *
 * Each round merges all pairs of clusters that are each other's nearest. Average linkage is reducible, so this gives the
 * same tree as merging the closest pair one at a time (Murtagh 1983; Müllner, "Modern hierarchical, agglomerative
 * clustering algorithms", 2011; in rounds: Sumengen et al., "Scaling hierarchical agglomerative clustering to
 * billion-sized datasets", 2021). The worst case takes O(n² · dims); the graph avoids most of it.
 *
 * @param graph nearest rows of each row
 * @param approximateMinRows number of rows from which on a search may miss the nearest cluster
 */
export const buildMergeTree = (
  points: PointSet,
  graph: NeighborGraph,
  approximateMinRows = APPROXIMATE_MIN_ROWS,
): MergeTree => {
  const n = points.rowOf.length
  const merges = new MergeList(Math.max(0, n - 1))
  const firstPoint = new Int32Array(points.rows).fill(-1)
  const sizes = new Int32Array(points.rows)
  for (let p = 0; p < n; p++) {
    const row = points.rowOf[p]!
    if (sizes[row]!++ === 0) firstPoint[row] = p
    else merges.add(firstPoint[row]!, p, 0)
  }
  const linkage = new Linkage(points, graph, sizes, points.rows >= approximateMinRows)
  while (linkage.active > 1)
    linkage.runRound((into, from, distance) => merges.add(firstPoint[into]!, firstPoint[from]!, Math.max(0, distance)))
  return merges.toTree()
}

class MergeList {
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

  toTree(): MergeTree {
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
 * Returns the partition at a threshold: clusters that are closer than it are merged. Equals scikit-learn's
 * AgglomerativeClustering (cosine metric, average linkage, distance_threshold). Labels are 0 to count − 1 in order of
 * first appearance. Almost O(n).
 *
 * @param n number of points
 */
export const cutTree = (tree: MergeTree, n: number, threshold: number): Clusters => {
  const parent = Int32Array.from({ length: n }, (_, i) => i)
  const findRoot = (i: number): number => {
    let at = i
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!
      at = parent[at]!
    }
    return at
  }
  for (let i = 0; i < tree.distance.length && tree.distance[i]! < threshold; i++) {
    const a = findRoot(tree.left[i]!)
    const b = findRoot(tree.right[i]!)
    parent[Math.max(a, b)] = Math.min(a, b)
  }
  // The root of a cluster is its smallest index, so it gets its label before the other members.
  const labels = new Int32Array(n)
  let count = 0
  for (let i = 0; i < n; i++) {
    const root = findRoot(i)
    labels[i] = root === i ? count++ : labels[root]!
  }
  return { labels, count }
}

/** The default number of clusters is this times the square root of the number of topics below the recordings. */
const CLUSTERS_PER_ROOT = 0.7

/**
 * Returns the threshold at which a tree has about 0.7 √topics clusters: as many as a person can survey. It lies halfway
 * between two merges, so it stays while little changes. Returns 0 if there are no more points than clusters.
 * @param topics number of topics of levels 2 and 3
 */
export const chooseThreshold = ({ distance }: MergeTree, topics: number): number => {
  const clusters = Math.max(1, Math.round(CLUSTERS_PER_ROOT * Math.sqrt(topics)))
  // n points have n − 1 merges, and leaving out the last k − 1 leaves k clusters.
  const first = distance.length - (clusters - 1)
  if (first <= 0) return 0
  const below = distance[first - 1]!
  const above = distance[first] ?? below + 1e-6
  return (below + above) / 2
}
