import { defineStage } from "../stage.ts"
import { summarizing } from "./summarize-nodes.ts"

/** Titles and summaries of all parts, whatever topic they belong to. */
export const summarizeL2 = defineStage({
  ...summarizing,
  name: "summarize_l2",
  gather: ({ words, state, options }) => ({
    ...options,
    words: words ?? [],
    nodes: Object.values(state.l2?.parts ?? {}).flat(),
  }),
})
