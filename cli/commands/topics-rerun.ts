import type { Command } from "commander"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { optionsOf, topicFlags } from "../job-flags.ts"
import { printResult } from "../output.ts"
import { stageBars } from "../progress.ts"
import { treeText } from "../tree.ts"

export const addTopicsRerun = (topics: Command): void => {
  topicFlags(topics.command("rerun <clip>"))
    .description("topics anew from the transcript that is there; what people wrote over them stands")
    .action(async (id: string, flags: Record<string, unknown>) => {
      const options = optionsOf(flags)
      const earmark = new Earmark(settings())
      const bars = stageBars()
      try {
        const { tree } = await earmark.rerunTopics(id, {
          ...options,
          onProgress: (p) => bars.update(p.stage, p.done, p.total),
        })
        bars.end()
        printResult(tree, () => treeText(tree))
      } finally {
        bars.end()
        await earmark.close()
      }
    })
}
