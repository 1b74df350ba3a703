import { formatClock } from "../../ui/format.ts"
import type { MapModel } from "../state/model.ts"
import { getColor, toCss } from "../state/palette.ts"
import { speakerNameOf } from "../state/speakers.ts"
import { NONE, useMap } from "../state/store.ts"
import type { DisplayedPoints } from "./displayed-points.ts"
import type { Insets } from "./place-labels.ts"

/** A pointer that crosses the map does not open cards. */
const SHOW_DELAY_MS = 120
/** Time to move the pointer from a point to its card. */
const HIDE_DELAY_MS = 260
const MARGIN_PX = 10

type TopicCardOptions = {
  readonly element: () => HTMLElement | null
  readonly model: MapModel
  readonly displayed: DisplayedPoints
  readonly dark: boolean
  readonly insets: Insets
  readonly viewSize: () => { readonly width: number; readonly height: number }
}

const writeCard = (element: HTMLElement, model: MapModel, index: number, dark: boolean) => {
  const point = model.points[index]!
  const region = model.groupings.region.groups.find(({ id }) => id === point.region_id)
  const write = (part: string, text: string) => {
    element.querySelector(`[data-part="${part}"]`)!.textContent = text
  }
  write("title", point.topic_title)
  write("summary", point.summary)
  write("region", [region?.name, speakerNameOf(point)].filter(Boolean).join(" · "))
  write("source", `${formatClock(point.start_s)} · ${point.clip_title}`)
  element.style.setProperty("--region", region ? toCss(getColor("region", region.rank, dark)) : "transparent")
  element.dataset.index = String(index)
}

/**
 * Controls the card of the hovered topic. Written without React, which is too slow for a moving pointer. The card stays for
 * a moment after its point is left, so that the pointer can reach its button.
 */
export const createTopicCard = ({ element, model, displayed, dark, insets, viewSize }: TopicCardOptions) => {
  let shown = NONE
  /** Measured once per topic, because measuring forces a layout of the page. */
  let size = { width: 0, height: 0 }
  let timer: ReturnType<typeof setTimeout> | undefined
  const move = () => {
    const card = element()
    if (!card || shown === NONE) return
    displayed.refresh()
    const { width, height } = viewSize()
    const { screen } = displayed
    const gap = displayed.radiusPx(shown) + MARGIN_PX
    const x = Math.min(width - size.width - MARGIN_PX, Math.max(insets.left, screen.x[shown]! - size.width / 2))
    const above = screen.y[shown]! - gap - size.height
    const below = Math.min(height - size.height - MARGIN_PX, screen.y[shown]! + gap)
    card.style.transform = `translate3d(${x.toFixed(1)}px, ${(above >= MARGIN_PX ? above : below).toFixed(1)}px, 0)`
  }
  const show = (index: number) => {
    const card = element()
    shown = index
    if (!card) return
    card.style.visibility = index === NONE ? "hidden" : "visible"
    if (index === NONE) return
    writeCard(card, model, index, dark)
    size = { width: card.offsetWidth, height: card.offsetHeight }
    move()
  }
  return {
    /** Shows the card of a topic after a delay, or hides the card for `NONE`. The card of a topic that opens is hidden at once. */
    request(index: number, delay_ms = index === NONE ? HIDE_DELAY_MS : SHOW_DELAY_MS) {
      clearTimeout(timer)
      if (index === shown) return
      const isOpened = shown !== NONE && shown === useMap.getState().selected
      if (isOpened || delay_ms === 0) show(NONE)
      if (index !== NONE || shown !== NONE) timer = setTimeout(() => show(index), delay_ms)
    },
    /** Moves the card with its point. */
    move,
  }
}
