import { z } from "zod"
import { node, summariesOutput } from "../../contracts/state.ts"
import { mapBounded } from "../bounded.ts"
import type { Stage } from "../stage.ts"
import { fanOut, knownWords, MODEL_RETRY, MODEL_TIMEOUT_MS } from "./input.ts"

const input = fanOut.extend({ words: knownWords, nodes: z.array(node) })
type Input = z.infer<typeof input>

/** What the two summarize stages share: every node of a level → its title and summary, by id; one call a node. */
export const summarizing: Pick<
  Stage<Input, z.infer<typeof summariesOutput>>,
  "input" | "output" | "timeoutMs" | "retry" | "run"
> = {
  input,
  output: summariesOutput,
  timeoutMs: MODEL_TIMEOUT_MS,
  retry: MODEL_RETRY,
  run: async ({ words, nodes, ...call }, { signal, models, progress }) => {
    if (nodes.length === 0) return { summaries: {} }
    const topics = await models.topics()
    let done = 0
    progress(done, nodes.length)
    const entries = await mapBounded(nodes, call.max_concurrency, signal, async (n, inner) => {
      const summary = await topics.summarize(
        { words, node: n, siblings: nodes },
        { signal: inner, numCtx: call.num_ctx_fanout, reasoning: call.reasoning },
      )
      progress(++done, nodes.length)
      return [n.id, summary] as const
    })
    return { summaries: Object.fromEntries(entries) }
  },
}
