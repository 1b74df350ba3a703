import type { WordSpan } from "#lib/domain/transcript/words.ts"
import type { Topic } from "../topics/topic-list.ts"
import { type ParagraphSpan, splitIntoParagraphs } from "./paragraphs.ts"

/** A row of the transcript: a topic heading or a paragraph. `group` is the index of the topic that contains it. */
export type Row =
  | { readonly kind: "topic"; readonly start_s: number; readonly topic: Topic }
  | { readonly kind: "paragraph"; readonly start_s: number; readonly paragraph: ParagraphSpan; readonly group: number }

/** Builds the rows of the transcript: paragraphs and topic headings in order of time. */
export const buildRows = (words: readonly WordSpan[], topics: readonly Topic[]): Row[] => {
  const titles = topics.filter((t) => t.level === 2)
  const paragraphs = splitIntoParagraphs(
    words,
    topics.map((t) => t.node.start_s),
  )
  const rows: Row[] = []
  let next = 0
  for (const paragraph of paragraphs) {
    // A boundary is at the start of a word or in the pause before it.
    while (next < titles.length && titles[next]!.node.start_s <= paragraph.start_s + 0.01) {
      const topic = titles[next++]!
      rows.push({ kind: "topic", start_s: topic.node.start_s, topic })
    }
    rows.push({ kind: "paragraph", start_s: paragraph.start_s, paragraph: paragraph, group: Math.max(0, next - 1) })
  }
  return rows
}

/** Returns the index of the paragraph row that contains a word, or -1. */
export const findRowOfWord = (rows: readonly Row[], word: number): number => {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    // A heading has no words, so compare the paragraph after it.
    let at = middle
    while (rows[at]?.kind === "topic") at++
    const row = rows[at]
    if (row?.kind !== "paragraph" || row.paragraph.first > word) high = middle
    else if (row.paragraph.end <= word) low = at + 1
    else return at
  }
  return -1
}
