import { describe, expect, it } from "vitest"
import { computePanelLayout } from "./panel-layout.ts"

type State = Parameters<typeof computePanelLayout>[0]

const layoutOf = (change: Partial<State> = {}) =>
  computePanelLayout({
    isPhone: false,
    renderer: "webgl",
    isListWanted: null,
    sidePanel: null,
    isTimelineOpen: false,
    ...change,
  })

describe("computePanelLayout", () => {
  it("opens the list on a wide screen and closes it on a phone", () => {
    expect(layoutOf().isListOpen).toBe(true)
    expect(layoutOf({ isPhone: true }).isListOpen).toBe(false)
    expect(layoutOf({ isListWanted: false }).isListOpen).toBe(false)
  })

  it("opens the list and shows a notice if nothing can draw the map", () => {
    expect(layoutOf({ isPhone: true, renderer: "none" })).toMatchObject({
      isListOpen: true,
      hasNoMapNotice: true,
      hasControls: false,
    })
  })

  it("has the same panels for a flat map, and a notice where there is space for it", () => {
    const states = [{}, { isPhone: true }, { isListWanted: false, isTimelineOpen: true }]
    for (const state of states) {
      const { hasFlatNotice, ...flat } = layoutOf({ ...state, renderer: "flat" })
      const { hasFlatNotice: _, ...webgl } = layoutOf(state)
      expect(flat).toEqual(webgl)
      expect(hasFlatNotice).toBe(true)
    }
    expect(layoutOf({ isPhone: true, renderer: "flat", isListWanted: true }).hasFlatNotice).toBe(false)
    expect(layoutOf({ isPhone: true, renderer: "flat", sidePanel: "topic" }).hasFlatNotice).toBe(false)
    expect(layoutOf().hasFlatNotice).toBe(false)
  })

  it("shows the legend only if neither the list nor a side panel is open", () => {
    expect(layoutOf({ isListWanted: false }).hasLegend).toBe(true)
    expect(layoutOf().hasLegend).toBe(false)
    expect(layoutOf({ isListWanted: false, sidePanel: "topic" }).hasLegend).toBe(false)
  })

  it("replaces the legend by the timeline on a phone and shows both on a wide screen", () => {
    const state = { isListWanted: false, isTimelineOpen: true }
    expect(layoutOf({ ...state, isPhone: true })).toMatchObject({ hasLegend: false, hasTimeline: true })
    expect(layoutOf(state)).toMatchObject({ hasLegend: true, hasTimeline: true })
  })

  it("hides list, tools and notices behind the bottom sheet of a phone", () => {
    const state = { isPhone: true, isListWanted: true, sidePanel: "topic", isTimelineOpen: true } as const
    expect(layoutOf(state)).toMatchObject({ isListHidden: true, hasControls: false, hasTimeline: false })
    expect(layoutOf({ ...state, renderer: "none" })).toMatchObject({ isListHidden: false, hasNoMapNotice: false })
  })
})
