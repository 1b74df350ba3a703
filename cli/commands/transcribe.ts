import type { Command } from "commander"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { jobFlags, optionsOf } from "../job-flags.ts"
import { clock, printResult } from "../output.ts"
import { stageBars } from "../progress.ts"

export const addTranscribe = (program: Command): void => {
  jobFlags(program.command("transcribe").argument("<source>", "a recording"))
    .description("words with times and speakers; kept, so that a later job starts from them")
    .option("--no-persist", "only print, keep nothing")
    .action(async (source: string, flags: Record<string, unknown>) => {
      const earmark = new Earmark(settings())
      const bars = stageBars()
      try {
        const result = await earmark.transcribe(source, {
          ...optionsOf(flags),
          persist: flags.persist !== false,
          onProgress: (p) => bars.update(p.stage, p.done, p.total),
        })
        bars.finish("whisper")
        printResult(result, () => result.words.map((w) => w.word).join(" "))
        for (const note of result.transcript_notes ?? []) process.stderr.write(`${note}\n`)
        process.stderr.write(`${result.words.length} words in ${clock(result.duration_s)} of sound\n`)
      } finally {
        bars.end()
        await earmark.close()
      }
    })
}
