// @vitest-environment happy-dom
import { cleanup, fireEvent, renderHook } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { attachAudio, getCurrentTime, seek, usePlayer } from "./player.ts"
import { usePlayerKeys } from "./use-player-keys.ts"

let detach: () => void
beforeEach(() => {
  detach = attachAudio(null, 60)
})
afterEach(() => {
  detach()
  cleanup()
})

describe("seeking", () => {
  it("lets the transcript follow playback again", () => {
    usePlayer.setState({ isFollowing: false, seekCount: 0 })
    seek(30)
    expect(usePlayer.getState()).toMatchObject({ isFollowing: true, second: 30, seekCount: 1 })
  })

  it("stays within the recording", () => {
    seek(99)
    expect(getCurrentTime()).toBe(60)
    seek(-1)
    expect(getCurrentTime()).toBe(0)
  })
})

describe("the keys of the player", () => {
  /** Presses a key. @returns true if the browser keeps its own shortcut */
  const press = (key: string, modifiers: KeyboardEventInit = {}, target: Element = document.body) =>
    fireEvent.keyDown(target, { key, ...modifiers })

  it("skip five seconds", () => {
    renderHook(usePlayerKeys)
    seek(30)
    expect(press("l")).toBe(false)
    expect(getCurrentTime()).toBe(35)
    press("j")
    expect(getCurrentTime()).toBe(30)
  })

  it("leave the shortcuts of the browser and of text fields alone", () => {
    renderHook(usePlayerKeys)
    seek(30)
    for (const modifier of ["ctrlKey", "metaKey", "altKey"]) expect(press("l", { [modifier]: true })).toBe(true)
    const field = document.body.appendChild(document.createElement("input"))
    expect(press("l", {}, field)).toBe(true)
    field.remove()
    expect(getCurrentTime()).toBe(30)
  })
})
