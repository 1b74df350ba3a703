import type { WordSpan } from "#lib/domain/transcript/words.ts"
import type { Topic } from "../topics/topics.ts"
import { type Block, blocksOf } from "./blocks.ts"

/** A line of the transcript: a topic's title where it begins, or a paragraph. `group` is the topic that it lies in. */
export type Row =
  | { readonly kind: "topic"; readonly start_s: number; readonly topic: Topic }
  | { readonly kind: "block"; readonly start_s: number; readonly block: Block; readonly group: number }

/** The transcript with the titles of its topics between its paragraphs, in order of time. */
export const rowsOf = (words: readonly WordSpan[], topics: readonly Topic[]): Row[] => {
  const titles = topics.filter((t) => t.level === 2)
  const blocks = blocksOf(
    words,
    topics.map((t) => t.node.start_s),
  )
  const rows: Row[] = []
  let next = 0
  for (const block of blocks) {
    // A border lies at a word, or in the silence before it.
    while (next < titles.length && titles[next]!.node.start_s <= block.start_s + 0.01) {
      const topic = titles[next++]!
      rows.push({ kind: "topic", start_s: topic.node.start_s, topic })
    }
    rows.push({ kind: "block", start_s: block.start_s, block, group: Math.max(0, next - 1) })
  }
  return rows
}

/** The paragraph that holds a word; -1 when none does. */
export const rowOfWord = (rows: readonly Row[], word: number): number => {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    // A title has no words: the paragraph below it decides.
    let at = middle
    while (rows[at]?.kind === "topic") at++
    const row = rows[at]
    if (row?.kind !== "block" || row.block.first > word) high = middle
    else if (row.block.end <= word) low = at + 1
    else return at
  }
  return -1
}
