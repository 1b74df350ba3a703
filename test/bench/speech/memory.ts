import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const numberIn = (path: string, pattern: RegExp): number => {
  try {
    return Number(pattern.exec(readFileSync(path, "utf8"))?.[1] ?? 0)
  } catch {
    // The process ended while it was looked at.
    return 0
  }
}

/** Megabytes of a process; what it shares with others (Node itself, libraries) counts by its share (Linux: PSS). */
const sizeOf = (pid: number): number => numberIn(join("/proc", String(pid), "smaps_rollup"), /^Pss:\s+(\d+)/m) / 1024

/** Megabytes of this process and of all below it. */
export const memoryOfTree = (): { own: number; children: number } => {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  const parents = new Map(pids.map((pid) => [Number(pid), numberIn(join("/proc", pid, "status"), /^PPid:\s+(\d+)/m)]))
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0
    return parent === process.pid || (parent > 1 && isBelow(parent))
  }
  const below = [...parents.keys()].filter(isBelow)
  return { own: sizeOf(process.pid), children: below.reduce((sum, pid) => sum + sizeOf(pid), 0) }
}

/** A recording of so many hours: the bundled one over and over, in FLAC. */
export const longRecording = (from: string, to: string, hours: number): void => {
  const seconds = String(Math.round(hours * 3600))
  const form = ["-t", seconds, "-c:a", "flac", "-compression_level", "0", to]
  execFileSync("ffmpeg", ["-v", "error", "-nostdin", "-y", "-stream_loop", "-1", "-i", from, ...form])
}
