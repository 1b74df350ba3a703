import { readFile } from "node:fs/promises"
import { text as readAll } from "node:stream/consumers"
import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { readTranscript } from "#lib/domain/transcript/given/read-transcript.ts"
import type { TranscriptError } from "#lib/domain/transcript/given/segment.ts"
import { jobFlags, parseJobOptions } from "../job-flags.ts"
import { processSources, sayClip } from "../recordings/run.ts"
import { SOURCES_ARGUMENT } from "../recordings/sources.ts"
import { type RemoteFlags, remoteFlags } from "../remote.ts"
import { formatTree } from "../tree.ts"

/**
 * Reads a transcript from a file in any supported format.
 * @throws AppError `invalid`
 */
const readTranscriptFile = async (file: string): Promise<string> => {
  const reject = (reason: string, cause: unknown): never => {
    throw new AppError("invalid", `--transcription ${file}: ${reason}`, { cause })
  }
  const text = await (file === "-" ? readAll(process.stdin) : readFile(file, "utf8")).catch(
    (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "ENOENT"
          ? "no such file"
          : error.code === "EISDIR"
            ? "it is a folder"
            : "couldn't read the file",
        error,
      ),
  )
  try {
    readTranscript(text)
  } catch (error) {
    const { path, reason } = error as TranscriptError
    reject(`${[...path.map(String), reason].join(" ")}.`, error)
  }
  return text
}

export const addGenerateTopics = (program: Command): void => {
  remoteFlags(
    jobFlags(
      program
        .command("generate-topics")
        .argument("<sources...>", `${SOURCES_ARGUMENT}; with --transcription, any name`),
    ),
  )
    .description("print the topic tree of a recording")
    .option(
      "--transcription <file>",
      'JSON of word spans, Whisper, OpenAI, Deepgram or AssemblyAI, or SRT or WebVTT; "-" reads it from standard input; the recording is not opened',
    )
    .option("--no-persist", "print the tree without storing anything")
    .action(async (sources: string[], flags: RemoteFlags & Record<string, unknown>) => {
      const options = { ...parseJobOptions(flags), persist: flags.persist !== false }
      const { transcription: file } = flags
      if (typeof file === "string" && sources.length > 1)
        throw new AppError("invalid", "--transcription belongs to one recording. Give one source.")
      const transcription = typeof file === "string" ? await readTranscriptFile(file) : undefined
      await processSources(sources, flags, async (processor, source, bars) => {
        const given = { ...options, ...(transcription !== undefined && { transcription }) }
        const { tree, session_id } = await processor.generateTopics(source, given, bars)
        bars.end()
        if (options.persist) sayClip(session_id)
        return { json: options.persist ? { ...tree, session_id } : tree, text: () => formatTree(tree) }
      })
    })
}
