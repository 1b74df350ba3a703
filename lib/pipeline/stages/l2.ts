import * as z from "zod"
import { l2Output, node } from "../../domain/jobs/job-state.ts"
import { mapConcurrently } from "../../platform/concurrency.ts"
import { defineStage } from "../stage.ts"
import { perTopicOptions, storedTopicDetail, storedWords } from "./input.ts"
import { createNoteCollector } from "./note-collector.ts"

/** Divides topics into subtopics with IDs "2.1", "2.2" … Makes one model call per topic. A topic may turn out to be indivisible. */
export const l2 = defineStage({
  name: "l2",
  input: perTopicOptions.extend({
    words: storedWords,
    nodes: z.array(node),
    block_seconds: z.number(),
    topic_detail: storedTopicDetail,
  }),
  output: l2Output,
  gather: ({ words, state, options }) => {
    const divided = new Set(state.decide?.decisions.filter((d) => d.subdivide).map((d) => d.id))
    return {
      ...options,
      words: words ?? [],
      nodes: state.l1?.nodes.filter((n) => divided.has(n.id)) ?? [],
      block_seconds: options.boundary_block_seconds,
    }
  },
  run: async (input, { signal, models, progress }) => {
    const { words, nodes } = input
    if (nodes.length === 0) return { parts: {} }
    const topics = await models.topics()
    const notes = createNoteCollector()
    let done = 0
    progress(done, nodes.length)
    const found = await mapConcurrently(nodes, input.max_concurrency, signal, async (parent, inner, index) => {
      const spans = await topics.findBoundaries(
        { words, within: parent, level: 2, detail: input.topic_detail, blockSeconds: input.block_seconds },
        {
          signal: inner,
          concurrency: input.max_concurrency,
          numCtx: input.num_ctx_fanout,
          reasoning: input.reasoning,
          onNote: notes.noteFor(index),
        },
      )
      progress(++done, nodes.length)
      const parts = spans.map(({ start_s, end_s }, i) => ({ id: `${parent.id}.${i + 1}`, start_s, end_s }))
      return [parent.id, parts] as const
    })
    return { parts: Object.fromEntries(found.filter(([, parts]) => parts.length > 1)), ...notes.toOutput() }
  },
})
