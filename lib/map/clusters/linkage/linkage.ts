import type { NeighborGraph, PointSet } from "../../types.ts"
import { CandidateLists, MAX_CANDIDATES } from "./candidate-lists.ts"
import { ClusterForest } from "./cluster-forest.ts"
import { CHUNK, findNearestClusters, MAX_QUERIES } from "./nearest-clusters.ts"

/** Searches that no merge depends on are deferred while a round merges more than this share of the clusters. */
const MIN_MERGED_SHARE = 1 / 50

/** Values of `nearest`: the candidate list has not been checked yet, or has been checked and only a search can tell. */
const UNCHECKED = -1
const NEEDS_SEARCH = -2

/** Receives each merge: the slot that stays, the slot that ends, and their mean distance, 1 − cosine similarity. */
export type OnMerge = (into: number, from: number, distance: number) => void

/** Average linkage in rounds. A cluster looks for its nearest cluster again only after that one has merged. */
export class Linkage {
  private readonly forest: ClusterForest
  private readonly lists: CandidateLists
  private readonly nearest: Int32Array
  private readonly nearestVersion: Int32Array
  /** The last round in which each slot was the nearest of another. */
  private readonly chosenInRound: Int32Array
  private rounds = 0
  private defersSearches = true

  /**
   * @param sizes number of points of each row; becomes the sizes of the clusters and is modified
   * @param isApproximate true if searches among all clusters may miss some
   */
  constructor(points: PointSet, graph: NeighborGraph, sizes: Int32Array, isApproximate: boolean) {
    this.forest = new ClusterForest(points, sizes, CHUNK, MAX_QUERIES, isApproximate)
    this.lists = new CandidateLists(this.forest, graph)
    this.nearest = new Int32Array(points.rows).fill(UNCHECKED)
    this.nearestVersion = new Int32Array(points.rows)
    this.chosenInRound = new Int32Array(points.rows)
  }

  /** The number of clusters. */
  get active(): number {
    return this.forest.active
  }

  /** Merges every pair of clusters that are each other's nearest, at least one pair. */
  runRound(onMerge: OnMerge): void {
    const before = this.active
    const uncertain = this.findNearest()
    // A cluster that is nobody's nearest cannot merge in this round. Its search is cheaper later, among fewer clusters.
    this.search(this.defersSearches ? uncertain.filter((a) => this.chosenInRound[a] === this.rounds) : uncertain)
    this.mergeMutualPairs(onMerge)
    if (this.active === before && uncertain.some((a) => this.nearest[a]! < 0)) {
      this.search(uncertain.filter((a) => this.nearest[a]! < 0))
      this.mergeMutualPairs(onMerge)
    }
    // Rounding can turn equal similarities into a cycle of nearest clusters. Merging the best pair breaks it.
    if (this.active === before) {
      const { lists } = this
      const a = this.forest.activeSlots.reduce((x, y) => (lists.headSimilarity(y) > lists.headSimilarity(x) ? y : x))
      this.merge(Math.min(a, this.nearest[a]!), Math.max(a, this.nearest[a]!), onMerge)
    }
    this.defersSearches = (before - this.active) / before > MIN_MERGED_SHARE
    this.forest.removeMerged()
  }

  private mergeMutualPairs(onMerge: OnMerge): void {
    for (const a of this.forest.activeSlots) {
      const b = this.nearest[a]!
      if (b > a && this.forest.isActive(b) && this.nearest[b] === a) this.merge(a, b, onMerge)
    }
  }

  private merge(a: number, b: number, onMerge: OnMerge): void {
    onMerge(a, b, 1 - this.forest.similarity(a, b))
    this.lists.mergeLists(a, b, this.forest.merge(a, b))
    this.nearest[a] = UNCHECKED
  }

  /** Determines the nearest cluster wherever a list suffices. @returns the clusters that may need a search */
  private findNearest(): number[] {
    const { forest, nearest } = this
    const uncertain: number[] = []
    for (const a of forest.activeSlots) {
      const b = nearest[a]!
      if (b >= 0 && forest.version[b] === this.nearestVersion[a] && forest.isActive(b)) continue
      // Merges of other clusters bring none of them nearer, so the list cannot become sufficient without a search.
      if (b !== NEEDS_SEARCH && this.lists.updateHead(a)) this.setNearestFromHead(a)
      else uncertain.push(a)
    }
    this.rounds++
    for (const a of uncertain) nearest[a] = NEEDS_SEARCH
    for (const a of forest.activeSlots) if (nearest[a]! >= 0) this.chosenInRound[nearest[a]!] = this.rounds
    return uncertain
  }

  private setNearestFromHead(a: number): void {
    const b = this.lists.head(a)
    this.nearest[a] = b
    this.nearestVersion[a] = this.forest.version[b]!
  }

  /** Replaces the lists of these clusters by the results of a search among all clusters. */
  private search(slots: readonly number[]): void {
    const others = this.forest.activeSlots.length - 1
    const k = Math.min(MAX_CANDIDATES, others)
    for (let i = 0; i < slots.length; i += MAX_QUERIES) {
      const batch = slots.slice(i, i + MAX_QUERIES)
      const results = findNearestClusters(this.forest, batch, k)
      batch.forEach((slot, q) => {
        this.lists.replace(slot, results, q, k, others)
        this.setNearestFromHead(slot)
      })
    }
  }
}
