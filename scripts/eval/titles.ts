import type { Span } from "../../lib/engines/language/types.ts"
import { buildWords } from "../../lib/services/evaluation/recordings.ts"
import { rougeL, rougeTokens } from "../../lib/services/evaluation/rouge.ts"
import { compareStems, listContentStems } from "../../lib/services/evaluation/title-scores.ts"
import { listReferenceNodes, printMeans, type Recording } from "./recordings.ts"
import { buildTopicTree, summarizeNodes } from "./trees.ts"

const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / Math.max(1, list.length)

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
 * Prints the scores of titles, for recordings with a reference title for each topic. Over the reference topics
 * ("passages"): the F1 of the sets of content stems and the share of titles with a content stem in common, for the titles
 * of the reference topics and (`own_`) of the topics found that cover most of them. Over the recordings: ROUGE-L F1 and
 * distinctness of the titles of the reference topics, and ROUGE-L F1 of all titles joined and distinctness of the topics
 * found (`own_`).
 */
export const evaluateTitles = async (recordings: readonly Recording[], show: boolean): Promise<void> => {
  const scored = []
  const passages = []
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
    const set = recording.set.split("-")[0]!
    for (const [i, node] of nodes.entries()) {
      const found = compareStems(reference[i]!, findMainTopic(topics, node).title)
      passages.push({
        set,
        scores: {
          ...compareStems(reference[i]!, titles[i]!),
          own_stem_f1: found.stem_f1,
          own_shared_word: found.shared_word,
        },
      })
    }
    const scores = {
      rouge_l: mean(titles.map((name, i) => rougeL(rougeTokens(reference[i]!), rougeTokens(name)))),
      distinctness: computeDistinctness(titles),
      words: mean(titles.map((name) => name.split(" ").length)),
      own_rouge_l: rougeL(rougeTokens(reference.join(" ")), rougeTokens(own.join(" "))),
      own_distinctness: computeDistinctness(own),
    }
    scored.push({ set, scores })
  }
  printMeans(passages, "passages")
  printMeans(scored)
}
