import * as z from "zod"
import { l0Output, node, summaries } from "../../domain/jobs/job-state.ts"
import { defineStage } from "../stage.ts"
import { storedWords } from "./input.ts"

type Summaries = z.infer<typeof summaries>
type Timed = z.infer<typeof node>

/** Adds titles and summaries to nodes by ID. @throws Error if a node has none, which is a bug of an earlier stage */
const withSummaries = (nodes: readonly Timed[], summaries: Summaries) =>
  nodes.map((n) => {
    const text = summaries[n.id]
    if (!text) throw new Error(`topic ${n.id} has no summary`)
    return { ...n, ...text }
  })

const NO_SPEECH = { title: "No speech", summary: "Nothing is said in this recording." }

/** Builds the topic tree from the outputs of the earlier stages and summarizes the recording with one model call. */
export const l0 = defineStage({
  name: "l0",
  input: z.object({
    words: storedWords,
    duration_s: z.number(),
    nodes: z.array(node),
    parts: z.record(z.string(), z.array(node)),
    l1: summaries,
    l2: summaries,
    notes: z.array(z.string()),
    num_ctx: z.int(),
    max_concurrency: z.int(),
    reasoning: z.boolean(),
  }),
  output: l0Output,
  gather: ({ words, duration_s, state, options }) => ({
    words: words ?? [],
    duration_s,
    nodes: state.l1?.nodes ?? [],
    parts: state.l2?.parts ?? {},
    l1: state.l1_summaries?.summaries ?? {},
    l2: state.l2_summaries?.summaries ?? {},
    notes: [state.l1, state.decide, state.l2, state.l1_summaries, state.l2_summaries].flatMap((s) => s?.notes ?? []),
    num_ctx: options.num_ctx_fanout,
    max_concurrency: options.max_concurrency,
    reasoning: options.reasoning,
  }),
  run: async (input, { signal, models, progress }) => {
    const { words, duration_s } = input
    const topics = withSummaries(input.nodes, input.l1).map((n) => ({
      ...n,
      children: withSummaries(input.parts[n.id] ?? [], input.l2),
    }))
    const notes = [...input.notes]
    progress(0, 1)
    const overview =
      topics.length === 0
        ? NO_SPEECH
        : await (await models.topics()).summarizeRecording(
            { words, topics },
            {
              signal,
              concurrency: input.max_concurrency,
              numCtx: input.num_ctx,
              reasoning: input.reasoning,
              onNote: (sentence) => notes.push(sentence),
            },
          )
    progress(1, 1)
    const children = topics.map(({ id: _, children, ...topic }) => ({
      ...topic,
      children: children.map(({ id: _, ...part }) => ({ ...part, children: [] })),
    }))
    const withNotes = notes.length > 0 ? { notes } : {}
    return { tree: { topics: [{ ...overview, start_s: 0, end_s: duration_s, children }], ...withNotes } }
  },
})
