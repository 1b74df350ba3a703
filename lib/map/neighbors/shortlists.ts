/**
 * The best `width` of what is offered to each of n rows: larger score first, then smaller index. What is added is only
 * kept until twice as many are there, then the better half of them is selected (Hoare's quickselect), which costs less
 * than keeping them sorted.
 */
export class Shortlists {
  private readonly room: number
  private readonly indices: Int32Array
  private readonly scores: Float32Array
  private readonly count: Int32Array

  /** @param gates [n] the least score that a row may still want, raised here as its list fills. Minus infinity at first. */
  constructor(
    private readonly n: number,
    private readonly width: number,
    private readonly gates: Float32Array,
  ) {
    this.room = 2 * width
    this.indices = new Int32Array(n * this.room)
    this.scores = new Float32Array(n * this.room)
    this.count = new Int32Array(n)
  }

  /** For a score that reaches the row's gate. */
  add(row: number, index: number, score: number): void {
    const at = row * this.room + this.count[row]!++
    this.indices[at] = index
    this.scores[at] = score
    if (this.count[row] === this.room) this.selectIn(row)
  }

  /** Raises the gates of rows as far as what they have allows. */
  select(from: number, to: number): void {
    for (let row = from; row < to; row++) if (this.count[row]! >= this.width) this.selectIn(row)
  }

  /** The lists, in no order, n × width; −1 where there are fewer. @param order the row that each list belongs to. */
  into(indices: Int32Array, scores: Float32Array, order?: Int32Array): void {
    const { n, width, room } = this
    this.select(0, n)
    indices.fill(-1)
    for (let row = 0; row < n; row++) {
      const at = (order ? order[row]! : row) * width
      for (let e = 0; e < this.count[row]!; e++) {
        indices[at + e] = this.indices[row * room + e]!
        scores[at + e] = this.scores[row * room + e]!
      }
    }
  }

  /** Moves the row's best to the front, the least of them last, and drops the others. */
  private selectIn(row: number): void {
    const { indices, scores } = this
    let low = row * this.room
    let high = low + this.count[row]! - 1
    const last = low + this.width - 1
    while (low < high) {
      const middle = (low + high) >> 1
      const [score, index] = [scores[middle]!, indices[middle]!]
      let i = low
      let j = high
      while (i <= j) {
        while (scores[i]! > score || (scores[i] === score && indices[i]! < index)) i++
        while (scores[j]! < score || (scores[j] === score && indices[j]! > index)) j--
        if (i > j) break
        this.swap(i++, j--)
      }
      if (last <= j) high = j
      else if (last >= i) low = i
      else break
    }
    this.count[row] = this.width
    // Others may know of nearer ones.
    if (scores[last]! > this.gates[row]!) this.gates[row] = scores[last]!
  }

  private swap(a: number, b: number): void {
    const { indices, scores } = this
    const [index, score] = [indices[a]!, scores[a]!]
    indices[a] = indices[b]!
    scores[a] = scores[b]!
    indices[b] = index
    scores[b] = score
  }
}
