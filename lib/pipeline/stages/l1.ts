import * as z from "zod"
import { l1Output } from "../../domain/jobs/job-state.ts"
import { defineStage } from "../stage.ts"
import { storedTopicDetail, storedWords } from "./input.ts"
import { createNoteCollector } from "./note-collector.ts"

/** Finds the topics of the transcript, with IDs "1", "2" … An empty transcript has none. */
export const l1 = defineStage({
  name: "l1",
  input: z.object({
    words: storedWords,
    duration_s: z.number(),
    block_seconds: z.number(),
    topic_detail: storedTopicDetail,
    num_ctx: z.int(),
    max_concurrency: z.int(),
    reasoning: z.boolean(),
  }),
  output: l1Output,
  gather: ({ words, duration_s, options }) => ({
    words: words ?? [],
    duration_s,
    block_seconds: options.boundary_block_seconds,
    topic_detail: options.topic_detail,
    num_ctx: options.num_ctx_l1,
    max_concurrency: options.max_concurrency,
    reasoning: options.reasoning,
  }),
  run: async (input, { signal, models, progress }) => {
    const { words, duration_s } = input
    const topics = await models.topics()
    await topics.check(signal)
    if (words.length === 0) return { nodes: [] }
    progress(0, 1)
    const notes = createNoteCollector()
    let calls = 1
    const spans = await topics.findBoundaries(
      {
        words,
        within: { start_s: 0, end_s: duration_s },
        level: 1,
        detail: input.topic_detail,
        blockSeconds: input.block_seconds,
      },
      {
        signal,
        concurrency: input.max_concurrency,
        numCtx: input.num_ctx,
        reasoning: input.reasoning,
        onProgress: (done, total) => {
          calls = total
          progress(done, total)
        },
        onNote: notes.noteFor(0),
      },
    )
    progress(calls, calls)
    return { nodes: spans.map(({ start_s, end_s }, i) => ({ id: `${i + 1}`, start_s, end_s })), ...notes.toOutput() }
  },
})
