import { constants } from "node:fs"
import { access, open, unlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { AppError } from "../../../domain/errors.ts"
import { newId } from "../../../domain/ids.ts"
import { describeExit, startChild } from "../../../platform/processes/child.ts"
import { findProgram } from "../../../platform/processes/find-program.ts"
import type { TimedWord } from "../transcript/words.ts"

/** PocketSphinx's own name for its acoustic model, language model and dictionary. */
export const MODEL = "en-us"
const PROGRAM = "pocketsphinx_continuous"

export type Installation = { readonly program: string; readonly modelDir: string }

const readable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  )

const hasModel = async (dir: string): Promise<boolean> => {
  const parts = [join(MODEL, "mdef"), `${MODEL}.lm.bin`, `cmudict-${MODEL}.dict`]
  return (await Promise.all(parts.map((part) => readable(join(dir, part))))).every(Boolean)
}

/** Finds the program and its English model; a sentence that names what is missing when it cannot be run. */
export const findPocketSphinx = async (): Promise<Installation | string> => {
  const program = await findProgram(PROGRAM)
  if (!program) return `${PROGRAM} was not found: install it with  apt-get install pocketsphinx`
  for (const prefix of new Set([dirname(dirname(program)), "/usr", "/usr/local"])) {
    const modelDir = join(prefix, "share", "pocketsphinx", "model", MODEL)
    if (await hasModel(modelDir)) return { program, modelDir }
  }
  return `${program} is there, its English model is not: install it with  apt-get install pocketsphinx-en-us`
}

/** A line of `-time yes`: word, start, end, confidence. */
const WORD_LINE = /^(\S+) (\d+\.\d+) (\d+\.\d+) \d+\.\d+$/
/** Silence, sentence marks and noises: `<sil>` `<s>` `[NOISE]` `++BREATH++`. */
const FILLER = /^(<.*>|\[.*\]|\+\+.*\+\+)$/

/** The words of what PocketSphinx printed, in its order; `to(2)`, a second pronunciation, is the word `to`. */
export const parseWords = (printed: string): TimedWord[] =>
  printed.split("\n").flatMap((line) => {
    const [, token = "", start, end] = WORD_LINE.exec(line.trim()) ?? []
    const word = token.replace(/\(\d+\)$/, "")
    return word === "" || FILLER.test(word) ? [] : [{ word, start: Number(start), end: Number(end) }]
  })

/**
 * Puts samples in a file that has no name any more: it is gone with the last process that holds it, killed or not.
 * @returns the descriptor, positioned at the beginning, and how to let go of it.
 */
const namelessFile = async (pcm: Int16Array): Promise<{ fd: number; close: () => Promise<void> }> => {
  const path = join(tmpdir(), `earmark-${newId()}.raw`)
  const file = await open(path, "wx+", 0o600)
  try {
    await unlink(path)
    await file.write(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength), 0, pcm.byteLength, 0)
  } catch (error) {
    await file.close()
    const full = (error as NodeJS.ErrnoException).code === "ENOSPC"
    throw full
      ? new AppError("storage_full", `no space left in ${tmpdir()}: make room there and try again`, { cause: error })
      : error
  }
  return { fd: file.fd, close: () => file.close() }
}

const complaint = (stderr: string): string =>
  stderr
    .split("\n")
    .filter((line) => /^(ERROR|FATAL)/.test(line) || !/^[A-Z]+:/.test(line))
    .map((line) => line.trim())
    .filter(Boolean)
    .at(-1)
    ?.slice(0, 300) ?? "it gave no reason"

/**
 * Recognises one chunk in one process, so that a crash costs a chunk's work and nothing stays behind.
 * Its own removal of silence is off: it makes word times drift by seconds.
 * @returns words with times from the start of the chunk.
 * @throws AppError `unavailable`, to be tried again, when the process ends by a signal or with an error.
 */
export const recognise = async (
  { program, modelDir }: Installation,
  pcm: Int16Array,
  signal: AbortSignal,
): Promise<TimedWord[]> => {
  const model = ["-hmm", join(modelDir, MODEL), "-lm", join(modelDir, `${MODEL}.lm.bin`)]
  const dictionary = ["-dict", join(modelDir, `cmudict-${MODEL}.dict`)]
  const input = ["-infile", "/dev/stdin", "-time", "yes", "-remove_silence", "no"]
  const file = await namelessFile(pcm)
  try {
    const child = startChild(program, [...model, ...dictionary, ...input], { signal, stdin: file.fd })
    const [printed, end] = await Promise.all([text(child.stdout), child.end])
    signal.throwIfAborted()
    if (end.code === 0) return parseWords(printed)
    throw new AppError(
      "unavailable",
      `the speech engine PocketSphinx stopped (${describeExit(end)}): ${complaint(end.stderr)}`,
      { retry: "retry" },
    )
  } finally {
    await file.close()
  }
}
