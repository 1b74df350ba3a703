import { z } from "zod"
import { node, summariesOutput } from "../../domain/jobs/job-state.ts"
import { withDistinctTitles } from "../../engines/language/distinct-titles.ts"
import { mapConcurrently } from "../../platform/concurrency.ts"
import type { Stage } from "../stage.ts"
import { fanOut, knownWords } from "./input.ts"
import { createNoteCollector } from "./note-collector.ts"

const input = fanOut.extend({ words: knownWords, nodes: z.array(node) })
type Input = z.infer<typeof input>

/** What the two summarize stages share: every node of a level → its title and summary, by id; one call a node. */
export const summarizing: Pick<Stage<Input, z.infer<typeof summariesOutput>>, "input" | "output" | "run"> = {
  input,
  output: summariesOutput,
  run: async ({ words, nodes, ...call }, { signal, models, progress }) => {
    if (nodes.length === 0) return { summaries: {} }
    const topics = await models.topics()
    const book = createNoteCollector()
    let done = 0
    progress(done, nodes.length)
    const answers = await mapConcurrently(nodes, call.max_concurrency, signal, async (n, inner, at) => {
      const summary = await topics.summarize(
        { words, node: n, siblings: nodes },
        {
          signal: inner,
          concurrency: call.max_concurrency,
          numCtx: call.num_ctx_fanout,
          reasoning: call.reasoning,
          note: book.page(at),
        },
      )
      progress(++done, nodes.length)
      return summary
    })
    const named = withDistinctTitles(words, nodes, answers)
    return { summaries: Object.fromEntries(nodes.map((n, i) => [n.id, named[i]!])), ...book.written() }
  },
}
