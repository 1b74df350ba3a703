/** Counters since the page was loaded. Tests and the bench read them from `window`. */
export const statistics = { frames: 0, draws: 0, renders: 0, sceneRenders: 0 }

/** Counts the draw calls of WebGL and of 2-D canvases. The first draw call after an animation frame counts as a frame. */
export const countDraws = () => {
  Object.assign(window, { statistics })
  let isInFrame = false
  const count = () => {
    statistics.draws++
    if (isInFrame) return
    isInFrame = true
    statistics.frames++
    requestAnimationFrame(() => {
      isInFrame = false
    })
  }
  const wrap = (proto: object, names: readonly string[]) => {
    for (const name of names) {
      const draw = (proto as Record<string, (...args: unknown[]) => void>)[name]!
      Object.assign(proto, {
        [name](this: unknown, ...args: unknown[]) {
          count()
          draw.apply(this, args)
        },
      })
    }
  }
  wrap(WebGL2RenderingContext.prototype, ["drawElementsInstanced", "drawElements", "drawArrays"])
  wrap(CanvasRenderingContext2D.prototype, ["drawImage"])
}

/** Makes the browser refuse WebGL. */
export const disableWebgl = () => {
  const getContext = HTMLCanvasElement.prototype.getContext as (kind: string, ...rest: unknown[]) => RenderingContext
  Object.assign(HTMLCanvasElement.prototype, {
    getContext(this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...rest)
    },
  })
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
