import { STOP_WORDS } from "../../lib/domain/text/stop-words.ts"
import { buildWords, listReferenceNodes, printMeans, type Recording } from "./recordings.ts"
import { rougeL, rougeTokens } from "./rouge.ts"
import { buildTopicTree, summarizeNodes } from "./trees.ts"

const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / Math.max(1, list.length)

const listContentStems = (title: string): string[] => rougeTokens(title).filter((token) => !STOP_WORDS.has(token))

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
    const scores = {
      rouge_l: mean(titles.map((name, i) => rougeL(rougeTokens(reference[i]!), rougeTokens(name)))),
      distinctness: computeDistinctness(titles),
      words: mean(titles.map((name) => name.split(" ").length)),
      own_rouge_l: rougeL(rougeTokens(reference.join(" ")), rougeTokens(own.join(" "))),
      own_distinctness: computeDistinctness(own),
    }
    scored.push({ set: recording.set.split("-")[0]!, scores })
  }
  printMeans(scored)
}
