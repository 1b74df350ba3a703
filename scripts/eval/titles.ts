import { STOP_WORDS } from "../../lib/domain/text/stop-words.ts"
import { nodesByHand, type Recording, report, wordsOf } from "./recordings.ts"
import { rougeL, rougeTokens } from "./rouge.ts"
import { describe, treeOf } from "./trees.ts"

const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / Math.max(1, list.length)

const contentOf = (title: string): string[] => rougeTokens(title).filter((token) => !STOP_WORDS.has(token))

/** 1 − ROUGE-L of a title and the sibling most like it, on average: 1 when no two share a content word. */
const distinctness = (titles: readonly string[]): number => {
  const tokens = titles.map(contentOf)
  if (tokens.length < 2) return 1
  return mean(
    tokens.map((own, i) => 1 - Math.max(...tokens.filter((_, j) => j !== i).map((other) => rougeL(other, own)))),
  )
}

/**
 * Titles: for the topics as people cut them, ROUGE-L F1 against the title they gave, and distinctness; for the tree we
 * make ourselves, ROUGE-L F1 of all titles in a row (`own_rouge_l`). Recordings with a title for each topic only.
 */
export const evaluateTitles = async (recordings: readonly Recording[], show: boolean): Promise<void> => {
  const scored = []
  for (const recording of recordings.filter((r) => r.titles_l1?.length === r.l1.length + 1)) {
    const words = wordsOf(recording)
    const nodes = nodesByHand(recording, words)
    const titles = (await describe(words, nodes)).map((s) => s.title)
    const hand = recording.titles_l1!
    const { title, topics } = await treeOf(recording)
    const own = topics.map((t) => t.title)
    if (show) {
      console.log(`\n${recording.id}: ${title}`)
      for (const [i, name] of titles.entries()) console.log(`  ${name}  |  ${hand[i]}`)
      console.log(`  own: ${own.join(" / ")}`)
    }
    const scores = {
      rouge_l: mean(titles.map((name, i) => rougeL(rougeTokens(hand[i]!), rougeTokens(name)))),
      distinctness: distinctness(titles),
      words: mean(titles.map((name) => name.split(" ").length)),
      own_rouge_l: rougeL(rougeTokens(hand.join(" ")), rougeTokens(own.join(" "))),
      own_distinctness: distinctness(own),
    }
    scored.push({ set: recording.set.split("-")[0]!, scores })
  }
  report(scored)
}
