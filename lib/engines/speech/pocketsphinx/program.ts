import { constants } from "node:fs"
import { access, open, unlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { AppError } from "../../../domain/errors.ts"
import { newId } from "../../../domain/ids.ts"
import type { TimedWord } from "../../../domain/transcript/words.ts"
import { describeExit, startChild } from "../../../platform/processes/child.ts"
import { findProgram } from "../../../platform/processes/find-program.ts"

/** The name of the acoustic model, the language model and the dictionary. */
export const MODEL = "en-us"
const PROGRAM = "pocketsphinx_continuous"

export type Installation = { readonly program: string; readonly modelDir: string }

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  )

const hasModel = async (dir: string): Promise<boolean> => {
  const parts = [join(MODEL, "mdef"), `${MODEL}.lm.bin`, `cmudict-${MODEL}.dict`]
  return (await Promise.all(parts.map((part) => isReadable(join(dir, part))))).every(Boolean)
}

/** Finds the program and its English model. Returns a message with the install command if one is missing. */
export const findPocketSphinx = async (): Promise<Installation | string> => {
  const program = await findProgram(PROGRAM)
  if (!program) return `Couldn't find ${PROGRAM}. Run apt-get install pocketsphinx.`
  for (const prefix of new Set([dirname(dirname(program)), "/usr", "/usr/local"])) {
    const modelDir = join(prefix, "share", "pocketsphinx", "model", MODEL)
    if (await hasModel(modelDir)) return { program, modelDir }
  }
  return `Couldn't find the English model of ${program}. Run apt-get install pocketsphinx-en-us.`
}

/** Matches a line of `-time yes`: word, start, end, confidence. */
const WORD_LINE = /^(\S+) (\d+\.\d+) (\d+\.\d+) \d+\.\d+$/
/** Matches silence, sentence marks and noises: `<sil>` `<s>` `[NOISE]` `++BREATH++`. */
const FILLER = /^(<.*>|\[.*\]|\+\+.*\+\+)$/

/** Parses the words of PocketSphinx's output. `to(2)`, a second pronunciation, becomes `to`. */
export const parseWords = (output: string): TimedWord[] =>
  output.split("\n").flatMap((line) => {
    const [, token = "", start, end] = WORD_LINE.exec(line.trim()) ?? []
    const word = token.replace(/\(\d+\)$/, "")
    return word === "" || FILLER.test(word) ? [] : [{ word, start: Number(start), end: Number(end) }]
  })

/**
 * Writes samples to a file that is already unlinked, so that it disappears with the last process that has it open.
 * @returns the file descriptor, positioned at the start, and a function that closes it
 */
const createUnlinkedFile = async (pcm: Int16Array): Promise<{ fd: number; close: () => Promise<void> }> => {
  const path = join(tmpdir(), `earmark-${newId()}.raw`)
  const file = await open(path, "wx+", 0o600)
  try {
    await unlink(path)
    await file.write(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength), 0, pcm.byteLength, 0)
  } catch (error) {
    await file.close()
    const full = (error as NodeJS.ErrnoException).code === "ENOSPC"
    throw full
      ? new AppError("storage_full", `No space left in ${tmpdir()}. Free some space there and try again.`, {
          cause: error,
        })
      : error
  }
  return { fd: file.fd, close: () => file.close() }
}

const findErrorLine = (stderr: string): string =>
  stderr
    .split("\n")
    .filter((line) => /^(ERROR|FATAL)/.test(line) || !/^[A-Z]+:/.test(line))
    .map((line) => line.trim())
    .filter(Boolean)
    .at(-1)
    ?.slice(0, 300) ?? "no error message"

/**
 * Transcribes a chunk in its own process, so that a crash affects only this chunk. Silence removal is off, because it
 * shifts word times by seconds.
 * @returns words with times relative to the chunk
 * @throws AppError `unavailable` (retryable) if the process fails
 */
export const recognizeChunk = async (
  { program, modelDir }: Installation,
  pcm: Int16Array,
  signal: AbortSignal,
): Promise<TimedWord[]> => {
  const model = ["-hmm", join(modelDir, MODEL), "-lm", join(modelDir, `${MODEL}.lm.bin`)]
  const dictionary = ["-dict", join(modelDir, `cmudict-${MODEL}.dict`)]
  const input = ["-infile", "/dev/stdin", "-time", "yes", "-remove_silence", "no"]
  const file = await createUnlinkedFile(pcm)
  try {
    const child = startChild(program, [...model, ...dictionary, ...input], { signal, stdin: file.fd })
    const [output, end] = await Promise.all([text(child.stdout), child.end])
    signal.throwIfAborted()
    if (end.code === 0) return parseWords(output)
    throw new AppError(
      "unavailable",
      `The speech engine PocketSphinx stopped (${describeExit(end)}): ${findErrorLine(end.stderr)}`,
      { retry: "retry" },
    )
  } finally {
    await file.close()
  }
}
