import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Megabytes of this process and of all below it; what they share (Node itself, libraries) is counted once (Linux: PSS). */
export const residentTree = (): { own: number; children: number } => {
  const parents = new Map<number, number>()
  const sizes = new Map<number, number>()
  for (const name of readdirSync("/proc").filter((n) => /^\d+$/.test(n))) {
    try {
      const status = readFileSync(join("/proc", name, "status"), "utf8")
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]))
      const rollup = readFileSync(join("/proc", name, "smaps_rollup"), "utf8")
      sizes.set(Number(name), Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024)
    } catch {
      // It ended while it was looked at.
    }
  }
  const isBelow = (pid: number): boolean =>
    pid === process.pid || (parents.has(pid) && pid > 1 && isBelow(parents.get(pid)!))
  let children = 0
  for (const [pid, size] of sizes) if (pid !== process.pid && isBelow(pid)) children += size
  return { own: sizes.get(process.pid) ?? 0, children }
}

/** A recording of so many hours: the bundled one over and over, in FLAC. */
export const longRecording = (from: string, to: string, hours: number): void => {
  const seconds = String(Math.round(hours * 3600))
  execFileSync("ffmpeg", [
    "-v",
    "error",
    "-nostdin",
    "-y",
    "-stream_loop",
    "-1",
    "-i",
    from,
    "-t",
    seconds,
    "-c:a",
    "flac",
    "-compression_level",
    "0",
    to,
  ])
}
