import type { WordSpan } from "../../lib/domain/transcript/words.ts"
import { createBuiltinTopicModel } from "../../lib/engines/language/builtin/index.ts"
import type { CallContext, NodeSpan, Summary } from "../../lib/engines/language/types.ts"
import { buildWords } from "../../lib/services/evaluation/recordings.ts"
import type { Recording } from "./recordings.ts"

const model = createBuiltinTopicModel()
const ctx: CallContext = { signal: new AbortController().signal, numCtx: 8192, reasoning: false }

/** Writes titles and summaries for the nodes of one level. */
export const summarizeNodes = (words: readonly WordSpan[], nodes: readonly NodeSpan[]): Promise<Summary[]> =>
  Promise.all(nodes.map((node) => model.summarize({ words, node, siblings: nodes }, ctx)))

/** Finds the topics of a recording and writes all titles and summaries as the pipeline does, without subtopics. */
export const buildTopicTree = async (recording: Recording) => {
  const words = buildWords(recording)
  const within = { start_s: 0, end_s: words.at(-1)!.end }
  const spans = await model.findBoundaries({ words, within, level: 1, detail: "normal", blockSeconds: 30 }, ctx)
  const nodes = spans.map((span, i) => ({ ...span, id: `${i + 1}` }))
  const named = await summarizeNodes(words, nodes)
  const topics = nodes.map((node, i) => ({ ...node, ...named[i]!, children: [] }))
  return { topics, ...(await model.summarizeRecording({ words, topics }, ctx)) }
}
