import { useEffect, useRef } from "react"

/** What the page has done so far; tests and the bench read it from the window. */
export const statistics = { frames: 0, draws: 0, renders: 0, sceneRenders: 0, frameMs: 0 }
Object.assign(window, { statistics })

/** Frames are counted by the first draw after a turn of the browser's clock; idle means that none comes. */
const watchDraws = () => {
  const proto = WebGL2RenderingContext.prototype
  let open = false
  for (const name of ["drawElementsInstanced", "drawElements", "drawArrays"] as const) {
    const draw = proto[name] as (...args: unknown[]) => void
    Object.assign(proto, {
      [name](this: WebGL2RenderingContext, ...args: unknown[]) {
        statistics.draws++
        if (!open) {
          open = true
          const begun = performance.now()
          statistics.frames++
          requestAnimationFrame(() => {
            open = false
            statistics.frameMs = performance.now() - begun
          })
        }
        draw.apply(this, args)
      },
    })
  }
}
watchDraws()

/** Frames a second, milliseconds of the last frame, draw calls and renders of React, in the corner. */
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
      className="pointer-events-none fixed bottom-1 left-1/2 z-50 -translate-x-1/2 rounded-sm bg-veil px-2 py-0.5 text-xs text-muted"
    />
  )
}
