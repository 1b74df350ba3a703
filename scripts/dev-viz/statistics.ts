/** Counters since the page was loaded. Tests and the bench read them from `window`. */
export const statistics = { frames: 0, draws: 0, renders: 0, sceneRenders: 0 }

/** Counts WebGL draw calls. The first draw call after an animation frame counts as a frame. */
export const countDraws = () => {
  Object.assign(window, { statistics })
  const proto = WebGL2RenderingContext.prototype
  let isInFrame = false
  for (const name of ["drawElementsInstanced", "drawElements", "drawArrays"] as const) {
    const draw = proto[name] as (...args: unknown[]) => void
    Object.assign(proto, {
      [name](this: WebGL2RenderingContext, ...args: unknown[]) {
        statistics.draws++
        if (!isInFrame) {
          isInFrame = true
          statistics.frames++
          requestAnimationFrame(() => {
            isInFrame = false
          })
        }
        draw.apply(this, args)
      },
    })
  }
}

/** Script time of animation frames since the last call of `take`, in milliseconds. */
type ScriptTimes = { readonly frames: readonly number[]; readonly hovers: readonly number[] }

/**
 * Measures the scripts that run in animation frames, including the React renders that they cause. Frames that draw and
 * frames that only handle a moved pointer are counted separately. @returns a function that returns and clears the times
 */
export const measureScripts = (): (() => ScriptTimes) => {
  let frames: number[] = []
  let hovers: number[] = []
  let hasPointerMoved = false
  window.addEventListener(
    "pointermove",
    () => {
      hasPointerMoved = true
    },
    { capture: true, passive: true },
  )
  const request = window.requestAnimationFrame.bind(window)
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      const from = performance.now()
      const { draws } = statistics
      callback(time)
      // React renders in a microtask that is already waiting.
      queueMicrotask(() => {
        const took = performance.now() - from
        if (statistics.draws > draws) frames.push(took)
        else if (hasPointerMoved) hovers.push(took)
        hasPointerMoved = false
      })
    })
  return () => {
    const times = { frames, hovers }
    frames = []
    hovers = []
    return times
  }
}
