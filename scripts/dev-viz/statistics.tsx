import { useEffect, useRef } from "react"

/** Counters since the page was loaded. Tests and the bench read them from `window`. */
export const statistics = { frames: 0, draws: 0, renders: 0, sceneRenders: 0, frameMs: 0 }
Object.assign(window, { statistics })

/** Counts WebGL draw calls. The first draw call after an animation frame counts as a frame. */
const countDraws = () => {
  const proto = WebGL2RenderingContext.prototype
  let isInFrame = false
  for (const name of ["drawElementsInstanced", "drawElements", "drawArrays"] as const) {
    const draw = proto[name] as (...args: unknown[]) => void
    Object.assign(proto, {
      [name](this: WebGL2RenderingContext, ...args: unknown[]) {
        statistics.draws++
        if (!isInFrame) {
          isInFrame = true
          const start = performance.now()
          statistics.frames++
          requestAnimationFrame(() => {
            isInFrame = false
            statistics.frameMs = performance.now() - start
          })
        }
        draw.apply(this, args)
      },
    })
  }
}
countDraws()

/** Shows frames per second, the duration of the last frame, draw calls and React renders. */
export const Statistics = () => {
  const box = useRef<HTMLPreElement>(null)
  useEffect(() => {
    let before = statistics.frames
    const timer = setInterval(() => {
      const { frames, draws, renders, frameMs } = statistics
      if (box.current)
        box.current.textContent = `${frames - before} frames/s  ${frameMs.toFixed(1)} ms  ${draws} draws  ${renders} renders`
      before = frames
    }, 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <pre
      ref={box}
      aria-hidden="true"
      className="pointer-events-none fixed bottom-1 left-1/2 z-50 -translate-x-1/2 rounded-sm bg-panel px-2 py-0.5 text-xs text-muted"
    />
  )
}
