/** A frame that took longer counts as this long, in seconds, so that the camera does not jump. */
const MAX_STEP_S = 0.25
/** The length of the first frame after a rest, in seconds: the time since the last frame says nothing. */
const FIRST_STEP_S = 1 / 60

/** Draws frames on demand. */
export type FrameLoop = {
  /** Requests a frame. */
  invalidate(): void
  stop(): void
}

/** Calls `draw` with the seconds since the last frame once per requested frame. A loop at rest does nothing. */
export const createFrameLoop = (draw: (seconds: number) => void): FrameLoop => {
  let request = 0
  let last = 0
  const run = (now: number) => {
    request = 0
    const seconds = last > 0 ? Math.min(MAX_STEP_S, (now - last) / 1000) : FIRST_STEP_S
    last = now
    draw(seconds)
    if (request === 0) last = 0
  }
  return {
    invalidate() {
      if (request === 0) request = requestAnimationFrame(run)
    },
    stop() {
      cancelAnimationFrame(request)
      request = 0
    },
  }
}
