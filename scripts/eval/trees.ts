import type { WordSpan } from "../../lib/domain/transcript/words.ts"
import { createBuiltinTopicModel } from "../../lib/engines/language/builtin/index.ts"
import type { CallContext, Node, Summary } from "../../lib/engines/language/types.ts"
import { type Recording, wordsOf } from "./recordings.ts"

const model = createBuiltinTopicModel()
const ctx: CallContext = { signal: new AbortController().signal, numCtx: 8192, reasoning: false }

/** Titles and summaries of nodes of one level. */
export const describe = (words: readonly WordSpan[], nodes: readonly Node[]): Promise<Summary[]> =>
  Promise.all(nodes.map((node) => model.summarize({ words, node, siblings: nodes }, ctx)))

/** Topics, title and summary of a recording as the pipeline makes them, without the parts of topics. */
export const treeOf = async (recording: Recording) => {
  const words = wordsOf(recording)
  const within = { start_s: 0, end_s: words.at(-1)!.end }
  const spans = await model.boundaries({ words, within, level: 1, blockSeconds: 30 }, ctx)
  const nodes = spans.map((span, i) => ({ ...span, id: `${i + 1}` }))
  const named = await describe(words, nodes)
  const topics = nodes.map((node, i) => ({ ...node, ...named[i]!, children: [] }))
  return { topics, ...(await model.overview({ words, topics }, ctx)) }
}
