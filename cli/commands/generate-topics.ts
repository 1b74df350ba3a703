import { readFile } from "node:fs/promises"
import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { readTranscript } from "#lib/domain/transcript/given/read-transcript.ts"
import type { TranscriptError } from "#lib/domain/transcript/given/segment.ts"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { jobFlags, parseJobOptions } from "../job-flags.ts"
import { printResult } from "../output.ts"
import { createStageBars } from "../progress.ts"
import { formatTree } from "../tree.ts"

/**
 * Reads a transcript from a file in any supported format.
 * @throws AppError `invalid`
 */
const readTranscriptFile = async (file: string): Promise<string> => {
  const reject = (reason: string, cause: unknown): never => {
    throw new AppError("invalid", `--transcription ${file}: ${reason}`, { cause })
  }
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) =>
    reject(
      error.code === "ENOENT" ? "no such file" : error.code === "EISDIR" ? "it is a folder" : "couldn't read the file",
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
  jobFlags(program.command("generate-topics").argument("<source>", "a path or URL; with --transcription, any name"))
    .description("print the topic tree of a recording")
    .option(
      "--transcription <file>",
      "JSON of word spans, Whisper, OpenAI, Deepgram or AssemblyAI, or SRT or WebVTT; the recording is not opened",
    )
    .option("--no-persist", "print the tree without storing anything")
    .action(async (source: string, flags: Record<string, unknown>) => {
      const options = parseJobOptions(flags)
      const transcription =
        typeof flags.transcription === "string" ? await readTranscriptFile(flags.transcription) : undefined
      const earmark = new Earmark(settings())
      const bars = createStageBars()
      try {
        const { tree } = await earmark.generateTopics(source, {
          ...options,
          ...(transcription !== undefined && { transcription }),
          persist: flags.persist !== false,
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
