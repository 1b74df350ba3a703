import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const readProcFile = (...path: string[]): string => {
  try {
    return readFileSync(join("/proc", ...path), "utf8")
  } catch {
    // The process has exited.
    return ""
  }
}
const matchNumber = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)

/** Returns the proportional set size of a process in megabytes (Linux only). Shared memory counts in part. */
const measureMb = (pid: number): number =>
  matchNumber(readProcFile(String(pid), "smaps_rollup"), /^Pss:\s+(\d+)/m) / 1024

const ROLES: readonly (readonly [pattern: RegExp, role: string])[] = [
  [/speech-child|sherpa\.child/, "speech"],
  [/ffmpeg|ffprobe|audio-decoder|plain\.child/, "decoder"],
  [/pocketsphinx/, "pocketsphinx"],
]

/** Returns the megabytes of a worker and its descendants by role. */
const measureProcessTree = (root: number): Map<string, number> => {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  const parents = new Map(pids.map((pid) => [Number(pid), matchNumber(readProcFile(pid, "status"), /^PPid:\s+(\d+)/m)]))
  const isDescendant = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0
    return parent === root || (parent > 1 && isDescendant(parent))
  }
  const sizes = new Map([["worker", measureMb(root)]])
  for (const pid of [...parents.keys()].filter(isDescendant)) {
    const command = readProcFile(String(pid), "cmdline")
    const role = ROLES.find(([pattern]) => pattern.test(command))?.[1] ?? "other"
    sizes.set(role, (sizes.get(role) ?? 0) + measureMb(pid))
  }
  return sizes
}

/**
 * Measures a process tree every second.
 * @returns a function that stops and returns the peak megabytes by role, and of `all` together
 */
export const watchProcessTree = (root: number): (() => Record<string, number>) => {
  const peaks: Record<string, number> = { all: 0 }
  const timer = setInterval(() => {
    const sizes = measureProcessTree(root)
    const all = [...sizes.values()].reduce((sum, mb) => sum + mb, 0)
    for (const [role, mb] of [...sizes, ["all", all] as const]) peaks[role] = Math.max(peaks[role] ?? 0, Math.round(mb))
  }, 1000)
  return () => {
    clearInterval(timer)
    return peaks
  }
}

/** Creates a FLAC file of the given length by repeating a recording. */
export const createLongRecording = (from: string, to: string, hours: number): void => {
  const seconds = String(Math.round(hours * 3600))
  const output = ["-t", seconds, "-c:a", "flac", "-compression_level", "0", to]
  execFileSync("ffmpeg", ["-v", "error", "-nostdin", "-y", "-stream_loop", "-1", "-i", from, ...output])
}
