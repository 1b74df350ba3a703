import * as z from "zod"
import { node, summariesOutput } from "../../domain/jobs/job-state.ts"
import { makeTitlesDistinct } from "../../engines/language/distinct-titles.ts"
import { mapConcurrently } from "../../platform/concurrency.ts"
import { defineStage, type StageContext } from "../stage.ts"
import { perTopicOptions, storedWords } from "./input.ts"
import { createNoteCollector } from "./note-collector.ts"

const input = perTopicOptions.extend({ words: storedWords, nodes: z.array(node) })
type Input = z.infer<typeof input>

/** Writes a title and a summary for every topic of one level. Makes one model call per topic. */
const summarizeStage = {
  input,
  output: summariesOutput,
  run: async ({ words, nodes, ...call }: Input, { signal, models, progress }: StageContext) => {
    if (nodes.length === 0) return { summaries: {} }
    const topics = await models.topics()
    const notes = createNoteCollector()
    let done = 0
    progress(done, nodes.length)
    const answers = await mapConcurrently(nodes, call.max_concurrency, signal, async (n, inner, index) => {
      const summary = await topics.summarize(
        { words, node: n, siblings: nodes },
        {
          signal: inner,
          concurrency: call.max_concurrency,
          numCtx: call.num_ctx_fanout,
          reasoning: call.reasoning,
          onNote: notes.noteFor(index),
        },
      )
      progress(++done, nodes.length)
      return summary
    })
    const named = makeTitlesDistinct(words, nodes, answers)
    return { summaries: Object.fromEntries(nodes.map((n, i) => [n.id, named[i]!])), ...notes.toOutput() }
  },
}

export const summarizeL1 = defineStage({
  ...summarizeStage,
  name: "summarize_l1",
  gather: ({ words, state, options }) => ({ ...options, words: words ?? [], nodes: state.l1?.nodes ?? [] }),
})

export const summarizeL2 = defineStage({
  ...summarizeStage,
  name: "summarize_l2",
  gather: ({ words, state, options }) => ({
    ...options,
    words: words ?? [],
    nodes: Object.values(state.l2?.parts ?? {}).flat(),
  }),
})
