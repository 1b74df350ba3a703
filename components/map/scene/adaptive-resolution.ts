/** Frames slower than this are visibly not smooth. */
const SLOW_MS = 30
const FAST_MS = 18
/** The map is at rest after this time without movement, or after two frames if those take longer. */
const REST_MS = 160
/** Frames farther apart belong to separate movements. */
const PAUSE_MS = 1500
const MIN_SHARE = 0.5
const SHARE_STEP = 0.75
/** Consecutive fast frames after which the resolution increases. */
const FAST_FRAMES = 40

/**
 * Finds the share of the pixels of the screen that the machine can draw while the map moves. `onRest` is called when the map has come to
 * rest, where all pixels are drawn again.
 */
export const createAdaptiveResolution = (onRest: () => void) => {
  let share = 1
  let previous = 0
  let fast = 0
  let rest: ReturnType<typeof setTimeout> | undefined
  return {
    /** Returns the share of the resolution for a frame at the time `now` in milliseconds. `hasMoved` is true if the view has changed since the last one. */
    tick(hasMoved: boolean, now: number): number {
      const took = previous > 0 ? now - previous : PAUSE_MS
      previous = now
      clearTimeout(rest)
      if (!hasMoved) return 1
      rest = setTimeout(
        () => {
          previous = 0
          onRest()
        },
        Math.max(REST_MS, took < PAUSE_MS ? 2 * took : 0),
      )
      if (took < PAUSE_MS) {
        fast = took < FAST_MS ? fast + 1 : 0
        if (took > SLOW_MS) share = Math.max(MIN_SHARE, share * SHARE_STEP)
        else if (fast > FAST_FRAMES) {
          share = Math.min(1, share / SHARE_STEP)
          fast = 0
        }
      }
      return share
    },
    stop: () => clearTimeout(rest),
  }
}
