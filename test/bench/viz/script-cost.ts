/** An event of Chromium's tracing. Times are in microseconds. */
export type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** Processor time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** What the scripts of a page cost, in milliseconds of processor time, without styles and layouts that they cause. */
export type ScriptCost = { readonly longestFrameMs: number; readonly totalMs: number; readonly frames: number }

/** Events that last as long as a script runs. They may contain each other. */
const SCRIPTS: ReadonlySet<string> = new Set(["FunctionCall", "EvaluateScript", "RunMicrotasks"])
/** Events of rendering. If a script reads a size, they happen within it; otherwise after it. */
const RENDERING: ReadonlySet<string> = new Set(["UpdateLayoutTree", "Layout"])
/** A script that starts as much later belongs to another frame, also if nothing was drawn in between, in microseconds. */
const NEXT_FRAME = 32_000
/** Callbacks of the same animation frame follow each other in less than this, in microseconds. */
const SAME_FRAME = 4000

const listMainThreadEvents = (events: readonly TraceEvent[]): TraceEvent[] => {
  const main = events.find((e) => e.name === "thread_name" && e.args.name === "CrRendererMain")
  return events.filter((e) => e.ph === "X" && e.pid === main?.pid && e.tid === main.tid).sort((a, b) => a.ts - b.ts)
}

/**
 * Returns what the scripts on the main thread of a traced page cost: all together, and in the frame with the most. A frame is
 * everything up to the end of its animation callbacks, such as the handler of a click and the render and draw that follow.
 */
export const sumScripts = (events: readonly TraceEvent[]): ScriptCost => {
  const frames = [0]
  let scriptEnd = 0
  let callbacksEnd = Number.NEGATIVE_INFINITY
  let hasCallbacks = false
  for (const { name, ts, dur = 0, tdur = 0 } of listMainThreadEvents(events)) {
    if (name === "FireAnimationFrame") {
      if (hasCallbacks && ts - callbacksEnd > SAME_FRAME) frames.push(0)
      hasCallbacks = true
      callbacksEnd = ts + dur
    }
    if (RENDERING.has(name) && ts < scriptEnd) frames[frames.length - 1]! -= tdur / 1000
    if (!SCRIPTS.has(name) || ts < scriptEnd) continue
    const isLater = scriptEnd > 0 && ts - scriptEnd > NEXT_FRAME
    scriptEnd = ts + dur
    if (isLater || (hasCallbacks && ts > callbacksEnd)) {
      frames.push(0)
      hasCallbacks = false
    }
    frames[frames.length - 1]! += tdur / 1000
  }
  return { longestFrameMs: Math.max(...frames), totalMs: frames.reduce((a, b) => a + b), frames: frames.length }
}
