/** The number of leading bits of a hash that select a list of topics. */
const LIST_BITS = 16

/**
 * Lists the topics that may contain a term: those with a term whose hash begins with the same bits. Takes four bytes per
 * term and topic, and two passes over them to create.
 */
export class TermCandidates {
  /** Where each list begins in `topics`. */
  private readonly starts = new Uint32Array(2 ** LIST_BITS + 1)
  private readonly topics: Uint32Array

  /** @param topics the hashes of the terms of each topic, in any number of lists */
  constructor(topics: readonly (readonly Uint32Array[])[]) {
    const { starts } = this
    for (const hashes of topics.flat()) for (const hash of hashes) starts[listOf(hash) + 1]!++
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    this.topics = new Uint32Array(starts.at(-1)!)
    const ends = starts.slice()
    topics.forEach((lists, topic) => {
      for (const hashes of lists) for (const hash of hashes) this.topics[ends[listOf(hash)]!++] = topic
    })
  }

  /** Returns the topics that may contain a term, in ascending order, and all that do. */
  list(hash: number): Set<number> {
    const list = listOf(hash)
    return new Set(this.topics.subarray(this.starts[list], this.starts[list + 1]))
  }
}

const listOf = (hash: number): number => hash >>> (32 - LIST_BITS)
