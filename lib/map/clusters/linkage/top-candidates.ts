/** Candidates being collected, most similar first; of equal ones the lower slot. */
export class TopCandidates {
  count = 0
  readonly slots: Int32Array
  readonly similarities: Float32Array

  constructor(room: number) {
    this.slots = new Int32Array(room)
    this.similarities = new Float32Array(room)
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
