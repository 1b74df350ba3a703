import type { Command } from "commander"
import { jobOptions } from "#lib/domain/jobs/jobs.ts"
import { groupIntoBlocks } from "#lib/sdk/blocks.ts"
import { jobFlags, parseJobOptions } from "../job-flags.ts"
import { processSources, sayClip } from "../recordings/run.ts"
import { SOURCES_ARGUMENT } from "../recordings/sources.ts"
import { type RemoteFlags, remoteFlags } from "../remote.ts"

export const addBlocks = (program: Command): void => {
  remoteFlags(jobFlags(program.command("blocks").argument("<sources...>", SOURCES_ARGUMENT)))
    .description("print the transcript in timed blocks with one line per speaker turn, as the language model reads it")
    .action((sources: string[], flags: RemoteFlags & Record<string, unknown>) => {
      const options = parseJobOptions(flags)
      const { boundary_block_seconds } = jobOptions.parse(options)
      return processSources(sources, flags, async (processor, source, bars) => {
        const { words, session_id } = await processor.transcribe(source, options, bars)
        sayClip(session_id)
        const blocks = groupIntoBlocks(words, boundary_block_seconds)
        return { json: { blocks }, text: () => blocks.map((b) => b.text).join("\n\n") }
      })
    })
}
