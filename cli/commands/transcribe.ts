import type { Command } from "commander"
import { hideTopicFlags, jobFlags, parseJobOptions } from "../job-flags.ts"
import { formatTime } from "../output.ts"
import { processSources, sayClip } from "../recordings/run.ts"
import { SOURCES_ARGUMENT } from "../recordings/sources.ts"
import { type RemoteFlags, remoteFlags } from "../remote.ts"

export const addTranscribe = (program: Command): void => {
  remoteFlags(hideTopicFlags(jobFlags(program.command("transcribe").argument("<sources...>", SOURCES_ARGUMENT))))
    .description("print words with times and speakers, and store them for later jobs")
    .option("--no-persist", "print the words without storing anything")
    .action((sources: string[], flags: RemoteFlags & Record<string, unknown>) => {
      const options = { ...parseJobOptions(flags), persist: flags.persist !== false }
      return processSources(sources, flags, async (processor, source, bars) => {
        const result = await processor.transcribe(source, options, bars)
        for (const note of result.transcript_notes ?? []) process.stderr.write(`${note}\n`)
        process.stderr.write(`${result.words.length} words in ${formatTime(result.duration_s)}\n`)
        if (options.persist) sayClip(result.session_id)
        return { json: result, text: () => result.words.map((w) => w.word).join(" ") }
      })
    })
}
