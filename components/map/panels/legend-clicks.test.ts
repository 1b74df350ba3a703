import { beforeEach, describe, expect, it } from "vitest"
import { INITIAL_STATE, NONE, useMap } from "../state/store.ts"
import { createLegendClickHandler } from "./legend-clicks.ts"

const state = () => {
  const { dimmedGroups, soloGroup } = useMap.getState()
  return { dimmed: [...dimmedGroups], solo: soloGroup }
}

describe("createLegendClickHandler", () => {
  beforeEach(() => useMap.setState(INITIAL_STATE, true))

  it("dims a group with one click and restores it with the next", () => {
    const click = createLegendClickHandler()
    click(3, { shiftKey: false, detail: 1 })
    expect(state()).toEqual({ dimmed: [3], solo: NONE })
    click(3, { shiftKey: false, detail: 0 })
    expect(state()).toEqual({ dimmed: [], solo: NONE })
  })

  it("toggles solo with a double-click and keeps dimmed groups", () => {
    useMap.setState({ dimmedGroups: new Set([5]) })
    const click = createLegendClickHandler()
    const doubleClick = () => {
      for (const detail of [1, 2]) click(3, { shiftKey: false, detail })
    }
    doubleClick()
    expect(state()).toEqual({ dimmed: [5], solo: 3 })
    doubleClick()
    expect(state()).toEqual({ dimmed: [5], solo: NONE })
  })

  it("ends solo with one click or Shift-click on the solo group", () => {
    const click = createLegendClickHandler()
    click(3, { shiftKey: true, detail: 1 })
    expect(state().solo).toBe(3)
    click(3, { shiftKey: false, detail: 1 })
    expect(state()).toEqual({ dimmed: [], solo: NONE })
    click(3, { shiftKey: true, detail: 1 })
    click(3, { shiftKey: true, detail: 1 })
    expect(state().solo).toBe(NONE)
  })
})
