import { createWriteStream, existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { glob, isDynamicPattern } from "tinyglobby"
import { AppError } from "#lib/domain/errors.ts"

export const SOURCES_ARGUMENT =
  'paths, patterns such as "talks/*.mp3", or URLs; "-" reads a recording from standard input'

/** A source as it was given. The bytes of standard input are in a temporary file. */
export type Source = { readonly given: string; readonly input?: string }

/** Returns the files that a pattern matches, in order. A URL or the path of a file is no pattern. */
const expand = async (given: string): Promise<string[]> => {
  if (/^[a-z]+:/i.test(given) || !isDynamicPattern(given) || existsSync(given)) return [given]
  const files = await glob(given, { expandDirectories: false })
  if (files.length === 0) throw new AppError("invalid", `No file matches '${given}'.`)
  return files.sort()
}

/**
 * Runs a command with the sources that its arguments name.
 * @throws AppError `invalid` if a pattern matches no file
 */
export const withSources = async (
  given: readonly string[],
  use: (sources: readonly Source[]) => Promise<void>,
): Promise<void> => {
  const names = [...new Set((await Promise.all(given.map(expand))).flat())]
  if (!names.includes("-")) return use(names.map((name) => ({ given: name })))
  const dir = await mkdtemp(join(tmpdir(), "earmark-stdin-"))
  try {
    const input = join(dir, "recording")
    await pipeline(process.stdin, createWriteStream(input))
    await use(names.map((name) => (name === "-" ? { given: name, input } : { given: name })))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
