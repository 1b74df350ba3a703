import { type Recording, report } from "./recordings.ts"
import { rougeL, rougeN, rougeTokens } from "./rouge.ts"
import { treeOf } from "./trees.ts"

/** ROUGE-1, -2 and -L F1 of the summary of the whole recording against the one people wrote. */
export const evaluateSummaries = async (recordings: readonly Recording[], show: boolean): Promise<void> => {
  const scored = []
  for (const recording of recordings.filter((r) => r.summary)) {
    const { summary } = await treeOf(recording)
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
  report(scored)
}
