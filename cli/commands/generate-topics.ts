import { readFile } from "node:fs/promises"
import type { Command } from "commander"
import { z } from "zod"
import { AppError } from "#lib/domain/errors.ts"
import { MAX_WORDS, type WordSpan, wordSpan } from "#lib/domain/transcript/words.ts"
import { issueText } from "#lib/domain/validation-messages.ts"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { jobFlags, optionsOf } from "../job-flags.ts"
import { printResult } from "../output.ts"
import { stageBars } from "../progress.ts"
import { treeText } from "../tree.ts"

/**
 * Word spans from a JSON file: a list, or anything with the list under `transcription` or `words`. Where people talk
 * at the same time the words of two turns overlap; a file may then list turn after turn, so it is put in order here.
 */
const readWords = async (file: string): Promise<WordSpan[]> => {
  const refuse = (why: string, cause?: unknown): never => {
    throw new AppError(
      "invalid",
      `--transcription ${file}: ${why}; give a JSON file with [{word, start, end, speaker}]`,
      { cause },
    )
  }
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) =>
    refuse(
      error.code === "ENOENT" ? "no such file" : error.code === "EISDIR" ? "this is a folder" : "cannot be read",
      error,
    ),
  )
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    refuse("this is not JSON", error)
  }
  const object = (Array.isArray(data) ? { words: data } : (data ?? {})) as { words?: unknown; transcription?: unknown }
  const parsed = z
    .array(wordSpan)
    .max(MAX_WORDS)
    .safeParse(object.words ?? object.transcription)
  if (parsed.success) return parsed.data.sort((a, b) => a.start - b.start)
  const issue = parsed.error.issues[0]
  return refuse(issue?.path.length ? `${issue.path.join(".")} ${issueText(issue)}` : "there is no list of words in it")
}

export const addGenerateTopics = (program: Command): void => {
  jobFlags(program.command("generate-topics").argument("<source>", "a recording, or with --transcription any name"))
    .description("the topic tree of a recording")
    .option("--transcription <file>", "word spans as JSON; the recording is then not opened")
    .option("--no-persist", "only print the tree, keep nothing")
    .action(async (source: string, flags: Record<string, unknown>) => {
      const options = optionsOf(flags)
      const words = typeof flags.transcription === "string" ? await readWords(flags.transcription) : undefined
      const earmark = new Earmark(settings())
      const bars = stageBars()
      try {
        const { tree } = await earmark.generateTopics(source, {
          ...options,
          ...(words && { transcription: words }),
          persist: flags.persist !== false,
          onProgress: (p) => bars.update(p.stage, p.done, p.total),
        })
        bars.end()
        printResult(tree, () => treeText(tree))
      } finally {
        bars.end()
        await earmark.close()
      }
    })
}
