import type { RendererChoice } from "./use-renderer-choice.ts"

type PanelState = {
  readonly isPhone: boolean
  readonly renderer: RendererChoice["kind"]
  /** The user's choice; null before the first one. */
  readonly isListWanted: boolean | null
  readonly sidePanel: "topic" | "collection" | null
  readonly isTimelineOpen: boolean
}

type PanelLayout = {
  /** True while WebGL or a canvas draws the map. */
  readonly isDrawn: boolean
  readonly isListOpen: boolean
  /** True while a bottom sheet takes the place of the open list. */
  readonly isListHidden: boolean
  readonly hasLegend: boolean
  readonly hasTimeline: boolean
  readonly hasControls: boolean
  readonly hasFlatNotice: boolean
  readonly hasNoMapNotice: boolean
}

/** Decides which panels are visible. A phone has space for one of list, side panel and map tools. */
export const computePanelLayout = (state: PanelState): PanelLayout => {
  const { isPhone, renderer, isListWanted, sidePanel, isTimelineOpen } = state
  const isDrawn = renderer === "webgl" || renderer === "flat"
  const hasSheet = isPhone && sidePanel !== null
  // Without a map the list is the only way to the topics.
  const isListOpen = isListWanted ?? (!isPhone || renderer === "none")
  const hasTools = isDrawn && !hasSheet && !(isPhone && isListOpen)
  return {
    isDrawn,
    isListOpen,
    isListHidden: hasSheet && isDrawn,
    hasLegend: isDrawn && !isListOpen && sidePanel === null && !(isPhone && isTimelineOpen),
    hasTimeline: hasTools && isTimelineOpen,
    hasControls: hasTools,
    hasFlatNotice: renderer === "flat" && !hasSheet && !(isPhone && isListOpen),
    hasNoMapNotice: renderer === "none" && !hasSheet,
  }
}
