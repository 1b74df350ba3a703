import type { Command } from "commander"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { parseJobOptions, topicFlags } from "../job-flags.ts"
import { printResult } from "../output.ts"
import { createStageBars } from "../progress.ts"
import { formatTree } from "../tree.ts"

export const addTopicsRerun = (topics: Command): void => {
  topicFlags(topics.command("rerun <clip>"))
    .description("find topics again in the existing transcript; topic edits are kept")
    .action(async (id: string, flags: Record<string, unknown>) => {
      const options = parseJobOptions(flags)
      const earmark = new Earmark(settings())
      const bars = createStageBars()
      try {
        const { tree } = await earmark.rerunTopics(id, {
          ...options,
          onProgress: (p) => bars.update(p.stage, p.done, p.total),
        })
        bars.end()
        printResult(tree, () => formatTree(tree))
      } finally {
        bars.end()
        await earmark.close()
      }
    })
}
