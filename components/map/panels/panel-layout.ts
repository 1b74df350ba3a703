export type SceneStatus = "checking" | "drawn" | "unsupported" | "lost"

type PanelState = {
  readonly isPhone: boolean
  readonly scene: SceneStatus
  /** The user's choice; null before the first one. */
  readonly isListWanted: boolean | null
  readonly sidePanel: "topic" | "collection" | null
  readonly isTimelineOpen: boolean
}

type PanelLayout = {
  readonly isListOpen: boolean
  /** True while a bottom sheet takes the place of the open list. */
  readonly isListHidden: boolean
  readonly hasLegend: boolean
  readonly hasTimeline: boolean
  readonly hasControls: boolean
  readonly notice: "unsupported" | "lost" | null
}

/** Decides which panels are visible. A phone has space for one of list, side panel and map tools. */
export const computePanelLayout = (state: PanelState): PanelLayout => {
  const { isPhone, scene, isListWanted, sidePanel, isTimelineOpen } = state
  const failure = scene === "unsupported" || scene === "lost" ? scene : null
  const isDrawn = scene === "drawn"
  const hasSheet = isPhone && sidePanel !== null
  // Without the scene the list is the only way to use the map.
  const isListOpen = isListWanted ?? (!isPhone || failure !== null)
  const hasTools = isDrawn && !hasSheet && !(isPhone && isListOpen)
  return {
    isListOpen,
    isListHidden: hasSheet && isDrawn,
    hasLegend: isDrawn && !isListOpen && sidePanel === null && !(isPhone && isTimelineOpen),
    hasTimeline: hasTools && isTimelineOpen,
    hasControls: hasTools,
    notice: hasSheet ? null : failure,
  }
}
