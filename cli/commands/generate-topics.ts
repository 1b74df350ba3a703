import { readFile } from "node:fs/promises"
import type { Command } from "commander"
import { z } from "zod"
import { AppError } from "#lib/domain/errors.ts"
import { MAX_WORDS, type WordSpan, wordSpan } from "#lib/domain/transcript/words.ts"
import { formatIssue } from "#lib/domain/validation-messages.ts"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { jobFlags, parseJobOptions } from "../job-flags.ts"
import { printResult } from "../output.ts"
import { createStageBars } from "../progress.ts"
import { formatTree } from "../tree.ts"

/**
 * Reads word spans from a JSON file: a list, or an object with the list under `transcription` or `words`. Sorts them by
 * start, because files with overlapping speakers often list one speaker turn after the other.
 * @throws AppError `invalid`
 */
const readWords = async (file: string): Promise<WordSpan[]> => {
  const reject = (reason: string, cause?: unknown): never => {
    throw new AppError(
      "invalid",
      `--transcription ${file}: ${reason}. Expected a JSON file with [{word, start, end, speaker}].`,
      { cause },
    )
  }
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) =>
    reject(
      error.code === "ENOENT" ? "no such file" : error.code === "EISDIR" ? "it is a folder" : "couldn't read the file",
      error,
    ),
  )
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    reject("it is not JSON", error)
  }
  const object = (Array.isArray(data) ? { words: data } : (data ?? {})) as { words?: unknown; transcription?: unknown }
  const parsed = z
    .array(wordSpan)
    .max(MAX_WORDS)
    .safeParse(object.words ?? object.transcription)
  if (parsed.success) return parsed.data.sort((a, b) => a.start - b.start)
  const issue = parsed.error.issues[0]
  return reject(issue?.path.length ? `${issue.path.join(".")} ${formatIssue(issue)}` : "it contains no list of words")
}

export const addGenerateTopics = (program: Command): void => {
  jobFlags(program.command("generate-topics").argument("<source>", "a path or URL; with --transcription, any name"))
    .description("print the topic tree of a recording")
    .option("--transcription <file>", "JSON file with word spans; the recording is not opened")
    .option("--no-persist", "print the tree without storing anything")
    .action(async (source: string, flags: Record<string, unknown>) => {
      const options = parseJobOptions(flags)
      const words = typeof flags.transcription === "string" ? await readWords(flags.transcription) : undefined
      const earmark = new Earmark(settings())
      const bars = createStageBars()
      try {
        const { tree } = await earmark.generateTopics(source, {
          ...options,
          ...(words && { transcription: words }),
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
