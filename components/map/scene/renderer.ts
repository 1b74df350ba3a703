import type { DisplayedPoints } from "./displayed-points.ts"

/** When a callback runs within a frame: `move` before the map is drawn, to move points; `follow` once they have their places. */
export type FramePhase = "move" | "follow"

export type ViewSize = { readonly width: number; readonly height: number }

/**
 * What draws the map: WebGL in space (`Scene`) or a 2-D canvas in a plane (`FlatScene`). Layers that both have, such as
 * labels, know the drawing only by this. Lengths are in CSS pixels.
 */
export type Renderer = {
  /** Receives the pointer events of the map. */
  readonly element: HTMLElement
  readonly displayed: DisplayedPoints
  getSize(): ViewSize
  /** Returns the distance of the camera from the middle of the map, in scene units. */
  getCameraDistance(): number
  /** Requests a frame. */
  invalidate(): void
  /** Calls `callback` in every frame. @returns a function that ends this */
  onFrame(phase: FramePhase, callback: () => void): () => void
  /** Returns the point at a place, or -1. Discs that contain it win, then the nearest one within `reach`. */
  pick(at: { readonly x: number; readonly y: number }, reach: number): number
  /** Draws immediately and returns the canvas. Its content is valid until the current task ends. */
  drawNow(): HTMLCanvasElement
}

/** Keeps the callbacks of frames for a renderer. */
export const createFrameCallbacks = () => {
  const callbacks: Readonly<Record<FramePhase, Set<() => void>>> = { move: new Set(), follow: new Set() }
  return {
    add(phase: FramePhase, callback: () => void): () => void {
      callbacks[phase].add(callback)
      return () => {
        callbacks[phase].delete(callback)
      }
    },
    run(phase: FramePhase): void {
      for (const callback of callbacks[phase]) callback()
    },
  }
}
