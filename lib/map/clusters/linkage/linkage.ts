import type { NeighbourGraph, PointSet } from "../../types.ts"
import { CandidateLists, LIST } from "./candidates.ts"
import { ClusterForest } from "./forest.ts"
import { BATCH, CHUNK, scanAll } from "./scan.ts"

/** Searches wait while a round merges more than one cluster in so many: else rounds would be many and hardly do anything. */
const SLOW = 50

/** In place of a nearest cluster: not looked for yet, or looked for in the list in vain. */
const UNKNOWN = -1
const UNSURE = -2

/** Told of each merge: the slot that stays, the one that goes, and their mean distance, 1 − cosine similarity. */
export type OnMerge = (into: number, from: number, distance: number) => void

/** Average linkage in rounds. A cluster's candidates are looked at again only when its nearest has gone. */
export class Linkage {
  private readonly forest: ClusterForest
  private readonly lists: CandidateLists
  private readonly nearest: Int32Array
  private readonly nearestStamp: Int32Array
  /** Slot → the number of the round in which it was another's nearest. */
  private readonly wanted: Int32Array
  private rounds = 0
  private patient = true

  /** @param sizes points in each row; taken over, as the clusters' sizes. */
  constructor(points: PointSet, graph: NeighbourGraph, sizes: Int32Array) {
    this.forest = new ClusterForest(points, sizes, CHUNK, BATCH)
    this.lists = new CandidateLists(this.forest, graph)
    this.nearest = new Int32Array(points.rows).fill(UNKNOWN)
    this.nearestStamp = new Int32Array(points.rows)
    this.wanted = new Int32Array(points.rows)
  }

  /** Clusters that are left. */
  get active(): number {
    return this.forest.active
  }

  /** Merges every pair of clusters that are each other's nearest: at least one. */
  round(merged: OnMerge): void {
    const before = this.active
    const unsure = this.findNearest()
    // Who is nobody's nearest merges with nobody yet: its search can wait until fewer are left to search through.
    this.search(this.patient ? unsure.filter((a) => this.wanted[a] === this.rounds) : unsure)
    this.mergePairs(merged)
    if (this.active === before && unsure.some((a) => this.nearest[a]! < 0)) {
      this.search(unsure.filter((a) => this.nearest[a]! < 0))
      this.mergePairs(merged)
    }
    // Rounding can turn equal similarities into a ring of nearest neighbours; then the best pair of all breaks it.
    if (this.active === before) {
      const { lists } = this
      const a = this.forest.alive.reduce((x, y) => (lists.headSimilarity(y) > lists.headSimilarity(x) ? y : x))
      this.merge(Math.min(a, this.nearest[a]!), Math.max(a, this.nearest[a]!), merged)
    }
    this.patient = (before - this.active) * SLOW > before
    this.forest.sweep()
  }

  private mergePairs(merged: OnMerge): void {
    for (const a of this.forest.alive) {
      const b = this.nearest[a]!
      if (b > a && this.forest.isAlive(b) && this.nearest[b] === a) this.merge(a, b, merged)
    }
  }

  private merge(a: number, b: number, merged: OnMerge): void {
    merged(a, b, 1 - this.forest.similarity(a, b))
    this.lists.join(a, b, this.forest.unite(a, b))
    this.nearest[a] = UNKNOWN
  }

  /** Settles whose nearest is certain. @returns the others: something outside their lists may be nearer. */
  private findNearest(): number[] {
    const { forest, nearest } = this
    const unsure: number[] = []
    for (const a of forest.alive) {
      const b = nearest[a]!
      if (b >= 0 && forest.stamp[b] === this.nearestStamp[a] && forest.isAlive(b)) continue
      // What is unsure stays so until it is searched for: others only merge, which brings none of them nearer.
      if (b !== UNSURE && this.lists.settleHead(a)) this.settle(a)
      else unsure.push(a)
    }
    this.rounds++
    for (const a of unsure) nearest[a] = UNSURE
    for (const a of forest.alive) if (nearest[a]! >= 0) this.wanted[nearest[a]!] = this.rounds
    return unsure
  }

  /** The head of its list is a cluster's nearest. */
  private settle(a: number): void {
    const b = this.lists.head(a)
    this.nearest[a] = b
    this.nearestStamp[a] = this.forest.stamp[b]!
  }

  /** Exact lists of these clusters, by their similarity to all that are alive. */
  private search(slots: readonly number[]): void {
    const others = this.forest.alive.length - 1
    const k = Math.min(LIST, others)
    for (let i = 0; i < slots.length; i += BATCH) {
      const batch = slots.slice(i, i + BATCH)
      const best = scanAll(this.forest, batch, k)
      batch.forEach((slot, q) => {
        this.lists.replace(slot, best, q, k, others)
        this.settle(slot)
      })
    }
  }
}
