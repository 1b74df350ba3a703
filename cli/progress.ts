import type { StageName } from "#lib/contracts/stages.ts"

export const STAGE_LABEL: Record<StageName, string> = {
  whisper: "listening",
  l1: "finding topics",
  decide: "looking for parts",
  l2: "dividing topics",
  summarize_l1: "naming topics",
  summarize_l2: "naming parts",
  l0: "summing up",
  persist: "placing on the map",
}

const WIDTH = 28

/** One bar a stage on stderr: redrawn in place at a terminal, a line at the end of each stage elsewhere. */
export const stageBars = (out: NodeJS.WriteStream = process.stderr) => {
  const started = new Map<StageName, number>()
  const finished = new Set<StageName>()
  let open: StageName | null = null
  const line = (stage: StageName, share: number, note: string) => {
    const full = Math.round(share * WIDTH)
    return `  ${STAGE_LABEL[stage].padEnd(18)} ${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${note}`
  }
  return {
    update(stage: StageName, done: number, total: number): void {
      if (finished.has(stage)) return
      if (!started.has(stage)) started.set(stage, Date.now())
      if (!out.isTTY) return
      if (open && open !== stage) out.write("\n")
      open = stage
      const share = total > 0 ? Math.min(1, done / total) : 0
      out.write(`\r\x1b[2K${line(stage, share, `${Math.round(share * 100)} %`)}`)
    },
    finish(stage: StageName): void {
      if (finished.has(stage)) return
      finished.add(stage)
      const seconds = (Date.now() - (started.get(stage) ?? Date.now())) / 1000
      if (out.isTTY && open && open !== stage) out.write("\n")
      out.write(`${out.isTTY ? "\r\x1b[2K" : ""}${line(stage, 1, `done in ${seconds.toFixed(1)} s`)}\n`)
      open = null
    },
    end(): void {
      if (open && out.isTTY) out.write("\n")
      open = null
    },
  }
}

const REDRAW_MS = 100

/** How many files are done and which was the last, on stderr: one line at a terminal, nothing elsewhere. */
export const fileCounter = (out: NodeJS.WriteStream = process.stderr) => {
  let drawn = 0
  return {
    update(files: number, path: string): void {
      if (!out.isTTY || Date.now() - drawn < REDRAW_MS) return
      drawn = Date.now()
      out.write(`\r\x1b[2K  ${files} files  ${path.slice(-60)}`)
    },
    end(): void {
      if (drawn > 0) out.write("\r\x1b[2K")
      drawn = 0
    },
  }
}
