import { beforeEach, describe, expect, it } from "vitest"
import { initial, NONE, useMap } from "../state/store.ts"
import { legendClicks } from "./legend-clicks.ts"

const state = () => {
  const { off, solo } = useMap.getState()
  return { off: [...off], solo }
}

describe("clicks on the legend", () => {
  beforeEach(() => useMap.setState(initial, true))

  it("grey a group and light it again", () => {
    const click = legendClicks()
    click(3, { shiftKey: false, detail: 1 })
    expect(state()).toEqual({ off: [3], solo: NONE })
    click(3, { shiftKey: false, detail: 0 })
    expect(state()).toEqual({ off: [], solo: NONE })
  })

  it("leave a group alone lit when they are two, and no longer when they are two again", () => {
    useMap.setState({ off: new Set([5]) })
    const click = legendClicks()
    const twice = () => {
      for (const detail of [1, 2]) click(3, { shiftKey: false, detail })
    }
    twice()
    expect(state()).toEqual({ off: [5], solo: 3 })
    twice()
    expect(state()).toEqual({ off: [5], solo: NONE })
  })

  it("end the solo of the group that has it, by one click or with Shift", () => {
    const click = legendClicks()
    click(3, { shiftKey: true, detail: 1 })
    expect(state().solo).toBe(3)
    click(3, { shiftKey: false, detail: 1 })
    expect(state()).toEqual({ off: [], solo: NONE })
    click(3, { shiftKey: true, detail: 1 })
    click(3, { shiftKey: true, detail: 1 })
    expect(state().solo).toBe(NONE)
  })
})
