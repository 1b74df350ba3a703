import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createPocketSphinx } from "#lib/engines/speech/pocketsphinx/engine.ts"
import type { TranscribeRequest } from "#lib/engines/speech/types.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"

const samples = join(packageRoot(import.meta.url), "public", "samples")
export const SAMPLE = join(samples, "three-subjects.flac")

/** The script of the recording from scripts/make-sample.mjs. */
export const truth = (): { duration_s: number; borders_s: number[]; text: string } =>
  JSON.parse(readFileSync(join(samples, "three-subjects.json"), "utf8"))

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
