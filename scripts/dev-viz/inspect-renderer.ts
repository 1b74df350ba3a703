import type { Renderer } from "#components/map/scene/renderer.ts"
import { useMap } from "#components/map/state/store.ts"

/** Offers the renderer of the flat map to the console of the browser and to tests as `window.scene`. */
export const inspectRenderer = (renderer: Renderer): void => {
  /** Returns the center, radius and depth of all discs, in CSS pixels of the page. */
  const locatePoints = () => {
    const { displayed, element } = renderer
    const { left, top } = element.getBoundingClientRect()
    displayed.refresh()
    const { x, y, depth } = displayed.screen
    return (useMap.getState().model?.points ?? []).map(({ level }, i) => ({
      x: left + x[i]!,
      y: top + y[i]!,
      depth: depth[i]!,
      radius: displayed.radiusPx(i),
      level,
    }))
  }
  Object.assign(window, { scene: { renderer, locatePoints } })
}
