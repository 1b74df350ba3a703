import type { Command } from "commander"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { jobFlags, parseJobOptions } from "../job-flags.ts"
import { printResult } from "../output.ts"
import { createStageBars } from "../progress.ts"

export const addBlocks = (program: Command): void => {
  jobFlags(program.command("blocks").argument("<source>", "a path or URL"))
    .description("print the transcript in timed blocks with one line per speaker turn, as the language model reads it")
    .action(async (source: string, flags: Record<string, unknown>) => {
      const earmark = new Earmark(settings())
      const bars = createStageBars()
      try {
        const blocks = await earmark.transcribeBlocks(source, {
          ...parseJobOptions(flags),
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
