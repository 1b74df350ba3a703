import { STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import type { StageName } from "#lib/domain/jobs/stages.ts"

const LABEL_WIDTH = Math.max(...Object.values(STAGE_TABLE).map(({ label }) => label.length))
const WIDTH = 28

/** Creates a progress bar per stage on stderr: redrawn in place on a terminal, one line per finished stage elsewhere. */
export const createStageBars = (out: NodeJS.WriteStream = process.stderr) => {
  const started = new Map<StageName, number>()
  const finished = new Set<StageName>()
  let open: StageName | null = null
  const line = (stage: StageName, share: number, note: string) => {
    const full = Math.round(share * WIDTH)
    return `  ${STAGE_TABLE[stage].label.padEnd(LABEL_WIDTH)} ${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${note}`
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

/** Creates a counter of processed files on stderr: one line on a terminal, nothing elsewhere. */
export const createFileCounter = (out: NodeJS.WriteStream = process.stderr) => {
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

/** Creates a progress bar for a number of items on stderr: redrawn on a terminal, nothing elsewhere. */
export const createCounterBar = (label: string, out: NodeJS.WriteStream = process.stderr) => {
  let drawn = 0
  return {
    update(done: number, total: number): void {
      if (!out.isTTY || (Date.now() - drawn < REDRAW_MS && done < total)) return
      drawn = Date.now()
      const share = total > 0 ? Math.min(1, done / total) : 0
      const bar = "█".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, "░")
      out.write(`\r\x1b[2K  ${label} ${bar} ${done} of ${total}`)
    },
    end(): void {
      if (drawn > 0) out.write("\n")
    },
  }
}

/** Creates a progress bar for a download on stderr: redrawn on a terminal, one line at the end elsewhere. */
export const createDownloadBar = (label: string, out: NodeJS.WriteStream = process.stderr) => {
  const started = Date.now()
  let drawn = 0
  let all = 0
  return {
    update(done: number, total: number): void {
      all = Math.max(all, done)
      if (!out.isTTY || Date.now() - drawn < REDRAW_MS) return
      drawn = Date.now()
      const share = total > 0 ? Math.min(1, done / total) : 0
      const bar = "█".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, "░")
      const left = done > 0 ? ((Date.now() - started) / 1000 / done) * (total - done) : 0
      const sizes = `${Math.round(done / 1e6)} of ${Math.round(total / 1e6)} MB, ${Math.round(left)} s left`
      out.write(`\r\x1b[2K  ${label.padEnd(26)} ${bar} ${Math.round(share * 100)} %  ${sizes}`)
    },
    finish(): void {
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      const what = all > 0 ? `${(all / 1e6).toFixed(1)} MB in ${seconds} s` : "already installed"
      out.write(`${out.isTTY ? "\r\x1b[2K" : ""}  ${label.padEnd(26)} ${what}\n`)
      drawn = 0
    },
    end(): void {
      if (drawn > 0) out.write("\n")
    },
  }
}
