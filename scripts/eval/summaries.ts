import { rougeL, rougeN, rougeTokens } from "../../lib/services/evaluation/rouge.ts"
import { printMeans, type Recording } from "./recordings.ts"
import { buildTopicTree } from "./trees.ts"

/** Prints ROUGE-1, -2 and -L F1 of the summaries of recordings against the reference summaries. */
export const evaluateSummaries = async (recordings: readonly Recording[], show: boolean): Promise<void> => {
  const scored = []
  for (const recording of recordings.filter((r) => r.summary)) {
    const { summary } = await buildTopicTree(recording)
    if (show) console.log(`\n${recording.id}: ${summary}`)
    const [reference, candidate] = [rougeTokens(recording.summary!), rougeTokens(summary)]
    const scores = {
      rouge_1: rougeN(reference, candidate, 1),
      rouge_2: rougeN(reference, candidate, 2),
      rouge_l: rougeL(reference, candidate),
      words: candidate.length,
    }
    scored.push({ set: recording.set.split("-")[0]!, scores })
  }
  printMeans(scored)
}
