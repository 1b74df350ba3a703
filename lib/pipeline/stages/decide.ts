import * as z from "zod"
import { decideOutput, node } from "../../domain/jobs/job-state.ts"
import { mapConcurrently } from "../../platform/concurrency.ts"
import { defineStage } from "../stage.ts"
import { perTopicOptions, storedTopicDetail, storedWords } from "./input.ts"
import { createNoteCollector } from "./note-collector.ts"

/** Decides for each topic that is long enough whether to divide it, and why. Makes one model call per topic. */
export const decide = defineStage({
  name: "decide",
  input: perTopicOptions.extend({
    words: storedWords,
    nodes: z.array(node),
    min_duration_s: z.number(),
    topic_detail: storedTopicDetail,
  }),
  output: decideOutput,
  gather: ({ words, state, options }) => ({
    ...options,
    words: words ?? [],
    nodes: state.l1?.nodes ?? [],
    min_duration_s: options.min_subdivide_duration_s,
  }),
  run: async (input, { signal, models, progress }) => {
    const { words, nodes } = input
    const candidates = nodes.filter((n) => n.end_s - n.start_s >= input.min_duration_s)
    if (candidates.length === 0) return { decisions: [] }
    const topics = await models.topics()
    const notes = createNoteCollector()
    let done = 0
    progress(done, candidates.length)
    const decisions = await mapConcurrently(candidates, input.max_concurrency, signal, async (n, inner, index) => {
      const { reason, subdivide } = await topics.decide(
        { words, node: n, siblings: nodes, detail: input.topic_detail },
        {
          signal: inner,
          concurrency: input.max_concurrency,
          numCtx: input.num_ctx_fanout,
          reasoning: input.reasoning,
          onNote: notes.noteFor(index),
        },
      )
      progress(++done, candidates.length)
      return { id: n.id, reason, subdivide }
    })
    return { decisions, ...notes.toOutput() }
  },
})
