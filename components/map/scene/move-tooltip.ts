import type { TopicPoint } from "#lib/domain/map.ts"
import { formatClock } from "../../ui/format.ts"
import type { MapModel } from "../state/model.ts"
import { screenRadius } from "./projection.ts"
import type { Stage } from "./stage.ts"

const MARGIN = 10

/** Writes name and place of a topic, or nothing. No React: the pointer comes by faster than it renders. */
export const writeTooltip = (element: HTMLElement | null, point: TopicPoint | null) => {
  if (!element) return
  element.style.opacity = point ? "1" : "0"
  if (!point) return element.setAttribute("aria-label", "No topic under the pointer")
  element.removeAttribute("aria-label")
  const [title, place] = element.querySelectorAll("bdi")
  title!.textContent = point.topic_title
  place!.textContent = `${formatClock(point.start_s)} · ${point.clip_title}`
}

/** Moves the tooltip above a point, below it where there is no room above. */
export const moveTooltip = (
  element: HTMLElement | null,
  stage: Stage,
  model: MapModel,
  index: number,
  size: { width: number; height: number },
  insets: { left: number },
) => {
  if (!element) return
  const depth = stage.screen.depth[index]!
  const radius = screenRadius(model.sizes[index]!, depth, stage.focal) + MARGIN
  const { offsetWidth: w, offsetHeight: h } = element
  const x = Math.min(size.width - w - MARGIN, Math.max(insets.left - MARGIN, stage.screen.x[index]! - w / 2))
  const above = stage.screen.y[index]! - radius - h
  const y = above >= MARGIN ? above : stage.screen.y[index]! + radius
  element.style.transform = `translate3d(${x.toFixed(1)}px, ${y.toFixed(1)}px, 0)`
}
