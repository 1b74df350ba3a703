import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const fileOf = (...path: string[]): string => {
  try {
    return readFileSync(join("/proc", ...path), "utf8")
  } catch {
    // The process ended while it was looked at.
    return ""
  }
}
const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)

/** Megabytes of a process; what it shares with others (Node itself, libraries) counts by its share (Linux: PSS). */
const sizeOf = (pid: number): number => numberIn(fileOf(String(pid), "smaps_rollup"), /^Pss:\s+(\d+)/m) / 1024

const ROLES: readonly (readonly [pattern: RegExp, role: string])[] = [
  [/speech-child|sherpa\.child/, "speech"],
  [/ffmpeg|ffprobe|audio-decoder|plain\.child/, "decoder"],
  [/pocketsphinx/, "pocketsphinx"],
]

/** Megabytes of a process (`worker`) and of those below it, by what they do. */
export const memoryOfTree = (root: number): Map<string, number> => {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  const parents = new Map(pids.map((pid) => [Number(pid), numberIn(fileOf(pid, "status"), /^PPid:\s+(\d+)/m)]))
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0
    return parent === root || (parent > 1 && isBelow(parent))
  }
  const sizes = new Map([["worker", sizeOf(root)]])
  for (const pid of [...parents.keys()].filter(isBelow)) {
    const command = fileOf(String(pid), "cmdline")
    const role = ROLES.find(([pattern]) => pattern.test(command))?.[1] ?? "other"
    sizes.set(role, (sizes.get(role) ?? 0) + sizeOf(pid))
  }
  return sizes
}

/** Looks at a process tree every second. @returns asks for the most that each role had, and all of them at one time */
export const watchTree = (root: number): (() => Record<string, number>) => {
  const most: Record<string, number> = { all: 0 }
  const timer = setInterval(() => {
    const sizes = memoryOfTree(root)
    const all = [...sizes.values()].reduce((sum, mb) => sum + mb, 0)
    for (const [role, mb] of [...sizes, ["all", all] as const]) most[role] = Math.max(most[role] ?? 0, Math.round(mb))
  }, 1000)
  return () => {
    clearInterval(timer)
    return most
  }
}

/** A recording of so many hours: the bundled one over and over, in FLAC. */
export const longRecording = (from: string, to: string, hours: number): void => {
  const seconds = String(Math.round(hours * 3600))
  const form = ["-t", seconds, "-c:a", "flac", "-compression_level", "0", to]
  execFileSync("ffmpeg", ["-v", "error", "-nostdin", "-y", "-stream_loop", "-1", "-i", from, ...form])
}
