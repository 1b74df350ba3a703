import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createPocketSphinx } from "#lib/engines/speech/pocketsphinx/engine.ts"
import type { TranscribeRequest } from "#lib/engines/speech/types.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"

const samples = join(packageRoot(import.meta.url), "public", "samples")
export const SAMPLE = join(samples, "three-subjects.flac")

type Script = { borders_s: number[]; turns: { start_s: number; end_s: number; text: string }[] }

/** Writes a part of the bundled recording. @returns its length, the boundaries between its subjects and its text */
export const makeSamplePart = (path: string, from_s: number, to_s: number) => {
  make("-ss", String(from_s), "-to", String(to_s), "-i", SAMPLE, path)
  // scripts/make-sample.mjs writes the script of the recording.
  const { borders_s, turns } = JSON.parse(readFileSync(join(samples, "three-subjects.json"), "utf8")) as Script
  const isWithin = (seconds: number) => seconds > from_s && seconds < to_s
  return {
    duration_s: to_s - from_s,
    boundaries_s: borders_s.filter(isWithin).map((seconds) => seconds - from_s),
    text: turns
      .filter(({ start_s, end_s }) => isWithin(start_s) && isWithin(end_s))
      .map((turn) => turn.text)
      .join(" "),
  }
}

export const sphinx = () =>
  createPocketSphinx({ log: createLogger("silent", "test"), model: undefined, maxDuration_s: 86_400 })

export const request = (path: string, more: Partial<TranscribeRequest> = {}): TranscribeRequest => ({
  path,
  language: "en",
  model: undefined,
  speakers: undefined,
  signal: new AbortController().signal,
  progress: () => {},
  ...more,
})

/** Runs ffmpeg to make a test file. */
export const make = (...args: string[]): void => {
  execFileSync("ffmpeg", ["-v", "error", "-nostdin", "-y", ...args])
}

/** Returns the IDs of running child processes with this name. */
export const childrenNamed = (name: string): number[] =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        const [, comm, state, parent] = /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? []
        return state !== "Z" && Number(parent) === process.pid && name.startsWith(comm ?? "-")
      } catch {
        return false
      }
    })
    .map(Number)

/** Waits until a condition is true. */
export const until = async (holds: () => boolean, ms = 20_000): Promise<void> => {
  const end = Date.now() + ms
  while (!holds()) {
    if (Date.now() > end) throw new Error("waited in vain")
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Returns the word error rate: the edit distance to the reference divided by its number of words. */
export const wordErrorRate = (text: string, transcribed: readonly string[]): number => {
  const words = text
    .toLowerCase()
    .replace(/[^a-z' ]/g, " ")
    .split(/\s+/)
    .filter(Boolean)
  let row = Array.from({ length: transcribed.length + 1 }, (_, j) => j)
  for (const [i, word] of words.entries()) {
    const next = [i + 1]
    for (const [j, other] of transcribed.entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (word === other ? 0 : 1)))
    row = next
  }
  return row.at(-1)! / words.length
}
