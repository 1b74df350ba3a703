import type { WordSpan } from "#lib/domain/transcript/words.ts"
import type { Topic } from "../topics/topic-list.ts"
import { type ParagraphSpan, splitIntoParagraphs } from "./paragraphs.ts"

/** A line of the transcript: a topic's title where it begins, or a paragraph. `group` is the topic that it lies in. */
export type Row =
  | { readonly kind: "topic"; readonly start_s: number; readonly topic: Topic }
  | { readonly kind: "paragraph"; readonly start_s: number; readonly paragraph: ParagraphSpan; readonly group: number }

/** The transcript with the titles of its topics between its paragraphs, in order of time. */
export const buildRows = (words: readonly WordSpan[], topics: readonly Topic[]): Row[] => {
  const titles = topics.filter((t) => t.level === 2)
  const paragraphs = splitIntoParagraphs(
    words,
    topics.map((t) => t.node.start_s),
  )
  const rows: Row[] = []
  let next = 0
  for (const paragraph of paragraphs) {
    // A border lies at a word, or in the silence before it.
    while (next < titles.length && titles[next]!.node.start_s <= paragraph.start_s + 0.01) {
      const topic = titles[next++]!
      rows.push({ kind: "topic", start_s: topic.node.start_s, topic })
    }
    rows.push({ kind: "paragraph", start_s: paragraph.start_s, paragraph: paragraph, group: Math.max(0, next - 1) })
  }
  return rows
}

/** The paragraph that holds a word; -1 when none does. */
export const findRowOfWord = (rows: readonly Row[], word: number): number => {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    // A title has no words: the paragraph below it decides.
    let at = middle
    while (rows[at]?.kind === "topic") at++
    const row = rows[at]
    if (row?.kind !== "paragraph" || row.paragraph.first > word) high = middle
    else if (row.paragraph.end <= word) low = at + 1
    else return at
  }
  return -1
}
