import type { NeighborGraph } from "../types.ts"

/**
 * The best k candidates of each of n rows, sorted: larger similarity first, then smaller index. Adding a candidate takes
 * O(k). Suits lists that rarely change.
 */
export class SortedTopLists {
  /** n × k; −1 where a list has fewer candidates. */
  readonly indices: Int32Array
  readonly similarities: Float32Array
  /** The similarity that a candidate must reach to enter each list. */
  readonly thresholds: Float32Array

  constructor(
    n: number,
    private readonly k: number,
  ) {
    this.indices = new Int32Array(n * k).fill(-1)
    this.similarities = new Float32Array(n * k).fill(Number.NEGATIVE_INFINITY)
    this.thresholds = new Float32Array(n).fill(Number.NEGATIVE_INFINITY)
  }

  /** Adds a candidate whose similarity reaches the row's threshold. */
  add(row: number, index: number, similarity: number): void {
    const { indices, similarities } = this
    const first = row * this.k
    let at = first + this.k - 1
    if (similarity === similarities[at] && index > indices[at]! && indices[at]! >= 0) return
    for (; at > first; at--) {
      const before = similarities[at - 1]!
      if (before > similarity || (before === similarity && indices[at - 1]! < index)) break
      similarities[at] = before
      indices[at] = indices[at - 1]!
    }
    similarities[at] = similarity
    indices[at] = index
    this.thresholds[row] = similarities[first + this.k - 1]!
  }

  clear(): void {
    this.indices.fill(-1)
    this.similarities.fill(Number.NEGATIVE_INFINITY)
    this.thresholds.fill(Number.NEGATIVE_INFINITY)
  }

  /** Returns the lists as a graph over the same memory. Similarities that rounding took outside −1 to 1 are clamped. */
  toGraph(): NeighborGraph {
    const { indices, similarities } = this
    for (let i = 0; i < similarities.length; i++) similarities[i] = Math.max(-1, Math.min(1, similarities[i]!))
    return { k: this.k, indices, similarities }
  }
}

/**
 * The best `width` candidates of each of n rows, unsorted: larger similarity first, then smaller index. A list grows to
 * twice its width and is then reduced to its better half by quickselect (Hoare 1961). Adding a candidate takes O(1) on
 * average, so this suits lists that change often.
 */
export class UnsortedTopLists {
  private readonly capacity: number
  private readonly indices: Int32Array
  private readonly similarities: Float32Array
  private readonly count: Int32Array

  /**
   * @param thresholds one per row, initially minus infinity. The lists raise the similarity that a candidate must reach
   * as they fill.
   */
  constructor(
    private readonly n: number,
    private readonly width: number,
    private readonly thresholds: Float32Array,
  ) {
    this.capacity = 2 * width
    this.indices = new Int32Array(n * this.capacity)
    this.similarities = new Float32Array(n * this.capacity)
    this.count = new Int32Array(n)
  }

  /** Adds a candidate whose similarity reaches the row's threshold. */
  add(row: number, index: number, similarity: number): void {
    const at = row * this.capacity + this.count[row]!++
    this.indices[at] = index
    this.similarities[at] = similarity
    if (this.count[row] === this.capacity) this.reduceRow(row)
  }

  /** Reduces the lists of rows `from` to `to` − 1 to their width, which raises their thresholds. */
  reduce(from: number, to: number): void {
    for (let row = from; row < to; row++) if (this.count[row]! >= this.width) this.reduceRow(row)
  }

  /**
   * Copies the lists into arrays of n × width, with −1 where a list has fewer candidates.
   *
   * @param order the original row number of each list, if the rows are renumbered
   */
  copyTo(indices: Int32Array, similarities: Float32Array, order?: Int32Array): void {
    const { n, width, capacity } = this
    this.reduce(0, n)
    indices.fill(-1)
    for (let row = 0; row < n; row++) {
      const at = (order ? order[row]! : row) * width
      for (let e = 0; e < this.count[row]!; e++) {
        indices[at + e] = this.indices[row * capacity + e]!
        similarities[at + e] = this.similarities[row * capacity + e]!
      }
    }
  }

  /** Moves the best candidates to the front of the list, the worst of them last, and drops the others. */
  private reduceRow(row: number): void {
    const { indices, similarities } = this
    let low = row * this.capacity
    let high = low + this.count[row]! - 1
    const last = low + this.width - 1
    while (low < high) {
      const middle = (low + high) >> 1
      const [similarity, index] = [similarities[middle]!, indices[middle]!]
      let i = low
      let j = high
      while (i <= j) {
        while (similarities[i]! > similarity || (similarities[i] === similarity && indices[i]! < index)) i++
        while (similarities[j]! < similarity || (similarities[j] === similarity && indices[j]! > index)) j--
        if (i > j) break
        this.swap(i++, j--)
      }
      if (last <= j) high = j
      else if (last >= i) low = i
      else break
    }
    this.count[row] = this.width
    // The caller may have set a higher threshold from the lists of other threads.
    if (similarities[last]! > this.thresholds[row]!) this.thresholds[row] = similarities[last]!
  }

  private swap(a: number, b: number): void {
    const { indices, similarities } = this
    const [index, similarity] = [indices[a]!, similarities[a]!]
    indices[a] = indices[b]!
    similarities[a] = similarities[b]!
    indices[b] = index
    similarities[b] = similarity
  }
}
