import { z } from "zod"
import { decideOutput, node } from "../../domain/jobs/job-state.ts"
import { mapConcurrently } from "../../platform/concurrency.ts"
import { defineStage } from "../stage.ts"
import { fanOut, knownWords } from "./input.ts"
import { createNoteCollector } from "./note-collector.ts"

/** Each L1 topic that is long enough → whether it is to be divided, and why; one call a topic. */
export const decide = defineStage({
  name: "decide",
  input: fanOut.extend({ words: knownWords, nodes: z.array(node), min_duration_s: z.number() }),
  output: decideOutput,
  gather: ({ words, state, options }) => ({
    ...options,
    words: words ?? [],
    nodes: state.l1?.nodes ?? [],
    min_duration_s: options.min_subdivide_duration_s,
  }),
  run: async (input, { signal, models, progress }) => {
    const { words, nodes } = input
    const long = nodes.filter((n) => n.end_s - n.start_s >= input.min_duration_s)
    if (long.length === 0) return { decisions: [] }
    const topics = await models.topics()
    const book = createNoteCollector()
    let done = 0
    progress(done, long.length)
    const decisions = await mapConcurrently(long, input.max_concurrency, signal, async (n, inner, at) => {
      const { reason, subdivide } = await topics.decide(
        { words, node: n, siblings: nodes },
        {
          signal: inner,
          concurrency: input.max_concurrency,
          numCtx: input.num_ctx_fanout,
          reasoning: input.reasoning,
          note: book.page(at),
        },
      )
      progress(++done, long.length)
      return { id: n.id, reason, subdivide }
    })
    return { decisions, ...book.written() }
  },
})
