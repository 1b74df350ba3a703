import { defineStage } from "../stage.ts"
import { summarizing } from "./summarize-nodes.ts"

/** Titles and summaries of the L1 topics. */
export const summarizeL1 = defineStage({
  ...summarizing,
  name: "summarize_l1",
  gather: ({ words, state, options }) => ({ ...options, words: words ?? [], nodes: state.l1?.nodes ?? [] }),
})
