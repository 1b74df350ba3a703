import type { MapModel } from "../model.ts"
import { NONE, useMap } from "../store.ts"
import { screenRadius } from "./projection.ts"
import type { Stage } from "./stage.ts"

const MARGIN = 10

/** Moves the tooltip above the hovered point, below it where there is no room above. Runs in the frame loop: no React. */
export const moveTooltip = (
  element: HTMLElement | null,
  stage: Stage,
  model: MapModel,
  size: { width: number; height: number },
  insets: { left: number },
) => {
  const { hover } = useMap.getState()
  if (!element || hover === NONE || hover >= model.count) return
  stage.refresh()
  const depth = stage.screen.depth[hover]!
  const radius = screenRadius(model.sizes[hover]!, depth, stage.focal) + MARGIN
  const { offsetWidth: w, offsetHeight: h } = element
  const x = Math.min(size.width - w - MARGIN, Math.max(insets.left - MARGIN, stage.screen.x[hover]! - w / 2))
  const above = stage.screen.y[hover]! - radius - h
  const y = above >= MARGIN ? above : stage.screen.y[hover]! + radius
  element.style.transform = `translate3d(${x.toFixed(1)}px, ${y.toFixed(1)}px, 0)`
}
