import type { Command } from "commander"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { jobFlags, optionsOf } from "../job-flags.ts"
import { printResult } from "../output.ts"
import { stageBars } from "../progress.ts"

export const addBlocks = (program: Command): void => {
  jobFlags(program.command("blocks").argument("<source>", "a recording"))
    .description("the transcript in blocks of time, a line a speaker turn, as the boundary finder reads it")
    .action(async (source: string, flags: Record<string, unknown>) => {
      const earmark = new Earmark(settings())
      const bars = stageBars()
      try {
        const blocks = await earmark.transcribeBlocks(source, {
          ...optionsOf(flags),
          onProgress: (p) => bars.update(p.stage, p.done, p.total),
        })
        bars.end()
        printResult({ blocks }, () => blocks.map((b) => b.text).join("\n\n"))
      } finally {
        bars.end()
        await earmark.close()
      }
    })
}
