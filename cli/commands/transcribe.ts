import type { Command } from "commander"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { jobFlags, parseJobOptions } from "../job-flags.ts"
import { formatTime, printResult } from "../output.ts"
import { createStageBars } from "../progress.ts"

export const addTranscribe = (program: Command): void => {
  jobFlags(program.command("transcribe").argument("<source>", "a path or URL"))
    .description("print words with times and speakers, and store them for later jobs")
    .option("--no-persist", "print the words without storing anything")
    .action(async (source: string, flags: Record<string, unknown>) => {
      const earmark = new Earmark(settings())
      const bars = createStageBars()
      try {
        const result = await earmark.transcribe(source, {
          ...parseJobOptions(flags),
          persist: flags.persist !== false,
          onProgress: (p) => bars.update(p.stage, p.done, p.total),
        })
        bars.finish("whisper")
        printResult(result, () => result.words.map((w) => w.word).join(" "))
        for (const note of result.transcript_notes ?? []) process.stderr.write(`${note}\n`)
        process.stderr.write(`${result.words.length} words in ${formatTime(result.duration_s)}\n`)
      } finally {
        bars.end()
        await earmark.close()
      }
    })
}
