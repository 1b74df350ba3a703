import { stem } from "../../lib/domain/text/stem.ts"
import { isContentWord, STOP_WORDS } from "../../lib/domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../lib/domain/text/tokens.ts"
import type { Span } from "../../lib/engines/language/types.ts"
import { buildWords, listReferenceNodes, printMeans, type Recording } from "./recordings.ts"
import { rougeL, rougeTokens } from "./rouge.ts"
import { buildTopicTree, summarizeNodes } from "./trees.ts"

const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / Math.max(1, list.length)

const listContentStems = (title: string): string[] =>
  splitWords(title)
    .map(normalizeWord)
    .filter((word) => isContentWord(word, STOP_WORDS))
    .map(stem)

/** Returns the F1 of the sets of content stems of two titles, and 1 if they share one, otherwise 0. */
const compareStems = (reference: string, title: string): { stem_f1: number; shared_word: number } => {
  const [wanted, found] = [reference, title].map((text) => new Set(listContentStems(text))) as [Set<string>, Set<string>]
  const hits = [...found].filter((s) => wanted.has(s)).length
  return { stem_f1: (2 * hits) / Math.max(1, wanted.size + found.size), shared_word: hits > 0 ? 1 : 0 }
}

const computeOverlap = (a: Span, b: Span): number =>
  Math.max(0, Math.min(a.end_s, b.end_s) - Math.max(a.start_s, b.start_s))

/** Returns the topic that covers most of a span. */
const findMainTopic = <T extends Span>(topics: readonly T[], span: Span): T =>
  topics.reduce((best, topic) => (computeOverlap(topic, span) > computeOverlap(best, span) ? topic : best))

/** Computes the mean of 1 − ROUGE-L of each title and its most similar sibling. 1 if no two share a content word. */
const computeDistinctness = (titles: readonly string[]): number => {
  const tokens = titles.map(listContentStems)
  if (tokens.length < 2) return 1
  return mean(
    tokens.map((own, i) => 1 - Math.max(...tokens.filter((_, j) => j !== i).map((other) => rougeL(other, own)))),
  )
}

/**
 * Prints the scores of titles, for recordings with a reference title for each topic: ROUGE-L F1 and distinctness of the
 * titles for the reference topics, and ROUGE-L F1 of all titles joined for the topics found (`own_rouge_l`).
 */
export const evaluateTitles = async (recordings: readonly Recording[], show: boolean): Promise<void> => {
  const scored = []
  for (const recording of recordings.filter((r) => r.titles_l1?.length === r.l1.length + 1)) {
    const words = buildWords(recording)
    const nodes = listReferenceNodes(recording, words)
    const titles = (await summarizeNodes(words, nodes)).map((s) => s.title)
    const reference = recording.titles_l1!
    const { title, topics } = await buildTopicTree(recording)
    const own = topics.map((t) => t.title)
    if (show) {
      console.log(`\n${recording.id}: ${title}`)
      for (const [i, name] of titles.entries()) console.log(`  ${name}  |  ${reference[i]}`)
      console.log(`  own: ${own.join(" / ")}`)
    }
    const stems = titles.map((name, i) => compareStems(reference[i]!, name))
    const ownStems = nodes.map((node, i) => compareStems(reference[i]!, findMainTopic(topics, node).title))
    const scores = {
      stem_f1: mean(stems.map((s) => s.stem_f1)),
      shared_word: mean(stems.map((s) => s.shared_word)),
      rouge_l: mean(titles.map((name, i) => rougeL(rougeTokens(reference[i]!), rougeTokens(name)))),
      distinctness: computeDistinctness(titles),
      words: mean(titles.map((name) => name.split(" ").length)),
      own_stem_f1: mean(ownStems.map((s) => s.stem_f1)),
      own_shared_word: mean(ownStems.map((s) => s.shared_word)),
      own_rouge_l: rougeL(rougeTokens(reference.join(" ")), rougeTokens(own.join(" "))),
      own_distinctness: computeDistinctness(own),
    }
    scored.push({ set: recording.set.split("-")[0]!, scores })
  }
  printMeans(scored)
}
