// @vitest-environment happy-dom
import { cleanup, fireEvent, renderHook } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  attachElements,
  closeDock,
  getCurrentTime,
  MEDIA_ACTIONS,
  openRecording,
  seek,
  setPlaybackRate,
  setSkipsSilence,
  toggleDock,
  togglePlayback,
  usePlayer,
} from "./player.ts"
import { listSilences } from "./silences.ts"
import { usePlayerKeys } from "./use-player-keys.ts"

/** A media element that plays nothing, with the events of a real one. */
const createMedia = () => {
  const target = new EventTarget()
  const fire = (name: string) => target.dispatchEvent(new Event(name))
  const media = {
    addEventListener: target.addEventListener.bind(target) as HTMLMediaElement["addEventListener"],
    currentTime: 0,
    defaultPlaybackRate: 1,
    paused: true,
    playbackRate: 1,
    readyState: 0,
    src: "",
    load: () => undefined,
    removeAttribute: () => {
      media.src = ""
      media.readyState = 0
    },
    play: async () => {
      if (!media.paused) return
      media.paused = false
      fire("play")
    },
    pause: () => {
      if (media.paused) return
      media.paused = true
      fire("pause")
    },
    becomeReady: () => {
      media.readyState = 1
      fire("loadedmetadata")
    },
    fire,
  }
  return media
}

const recording = (id: string, hasAudio = true) => ({
  id,
  title: `Talk ${id}`,
  duration_s: 60,
  hasAudio,
  mayHavePicture: false,
  topicStarts: [0, 20, 40],
  silences: [[30, 34]] as const,
})

let audio: ReturnType<typeof createMedia>
let closePage: () => void
let detach: () => void
beforeEach(() => {
  window.localStorage.clear()
  audio = createMedia()
  detach = attachElements(audio, createMedia())
  closePage = openRecording(recording("a"))
  audio.becomeReady()
})
afterEach(() => {
  closePage()
  detach()
  cleanup()
  usePlayer.setState({ docked: null, skipsSilence: false, rate: 1 })
})

describe("seeking", () => {
  it("lets the transcript follow playback again", () => {
    usePlayer.setState({ isFollowing: false, seekCount: 0 })
    seek(30)
    expect(usePlayer.getState()).toMatchObject({ isFollowing: true, second: 30, seekCount: 1 })
    expect(audio.currentTime).toBe(30)
  })

  it("stays within the recording", () => {
    seek(99)
    expect(getCurrentTime()).toBe(60)
    seek(-1)
    expect(getCurrentTime()).toBe(0)
  })
})

describe("playback", () => {
  it("goes on in the dock when its page is closed, and back on its page", () => {
    togglePlayback()
    audio.currentTime = 12
    closePage()
    expect(usePlayer.getState()).toMatchObject({ isPlaying: false, isDockPlaying: true, docked: { id: "a" } })
    expect(audio.paused).toBe(false)
    closePage = openRecording(recording("a"))
    expect(usePlayer.getState()).toMatchObject({ isPlaying: true, docked: null })
    expect(getCurrentTime()).toBe(12)
  })

  it("of another recording is not stopped by opening a page, but by playing there", () => {
    togglePlayback()
    closePage()
    closePage = openRecording(recording("b"))
    expect(usePlayer.getState()).toMatchObject({ isPlaying: false, docked: { id: "a" } })
    seek(25)
    expect([getCurrentTime(), audio.currentTime]).toEqual([25, 0])
    togglePlayback()
    expect(audio.src).toContain("/clips/b/audio")
    audio.becomeReady()
    expect(usePlayer.getState()).toMatchObject({ isPlaying: true, docked: null })
    expect(audio.currentTime).toBe(25)
  })

  it("leaves no dock if it was paused on the page, and stays in the dock if it is paused there", () => {
    closePage()
    expect(usePlayer.getState().docked).toBeNull()
    closePage = openRecording(recording("a"))
    togglePlayback()
    closePage()
    toggleDock()
    expect(usePlayer.getState()).toMatchObject({ docked: { id: "a" }, isDockPlaying: false })
    closeDock()
    expect(usePlayer.getState().docked).toBeNull()
    expect(audio.src).toBe("")
  })

  it("resumes where the recording was left, unless it ended", () => {
    togglePlayback()
    audio.currentTime = 33
    togglePlayback()
    closePage()
    closePage = openRecording(recording("b"))
    audio.becomeReady()
    closePage()
    closePage = openRecording(recording("a"))
    audio.becomeReady()
    expect([getCurrentTime(), usePlayer.getState().isFollowing]).toEqual([33, false])
    togglePlayback()
    audio.currentTime = 60
    audio.paused = true
    audio.fire("ended")
    closePage()
    closePage = openRecording(recording("b"))
    closePage()
    closePage = openRecording(recording("a"))
    expect(getCurrentTime()).toBe(0)
  })

  it("does nothing without audio", () => {
    closePage()
    closePage = openRecording(recording("c", false))
    togglePlayback()
    expect(usePlayer.getState()).toMatchObject({ audio: "absent", isPlaying: false })
    seek(7)
    expect(getCurrentTime()).toBe(7)
  })

  it("shows a picture only if the file has one", () => {
    const video = { ...createMedia(), videoWidth: 0 }
    detach()
    detach = attachElements(audio, video)
    closePage()
    closePage = openRecording({ ...recording("v"), mayHavePicture: true })
    expect([video.src, audio.src]).toEqual([expect.stringContaining("/clips/v/audio"), ""])
    video.readyState = 1
    video.fire("loadedmetadata")
    expect(usePlayer.getState().picturedId).toBeNull()
    video.videoWidth = 320
    video.fire("loadedmetadata")
    expect(usePlayer.getState().picturedId).toBe("v")
    closePage()
    closePage = openRecording(recording("a"))
    expect(usePlayer.getState().picturedId).toBeNull()
  })

  it("keeps its speed when another recording is loaded", () => {
    setPlaybackRate(1.5)
    closePage()
    closePage = openRecording(recording("b"))
    expect([audio.defaultPlaybackRate, audio.playbackRate]).toEqual([1.5, 1.5])
  })

  it("skips silence on demand", async () => {
    togglePlayback()
    audio.currentTime = 31
    await new Promise(requestAnimationFrame)
    expect(audio.currentTime).toBe(31)
    setSkipsSilence(true)
    await expect.poll(() => audio.currentTime).toBe(34)
  })
})

describe("the keys of a headset", () => {
  it("skip to topics and by seconds, and play and pause", () => {
    seek(25)
    MEDIA_ACTIONS.nexttrack!({})
    expect(audio.currentTime).toBe(40)
    MEDIA_ACTIONS.previoustrack!({})
    expect(audio.currentTime).toBe(20)
    MEDIA_ACTIONS.seekforward!({})
    expect(audio.currentTime).toBe(30)
    MEDIA_ACTIONS.seekto!({ seekTime: 5 })
    expect(audio.currentTime).toBe(5)
    MEDIA_ACTIONS.play!({})
    expect(audio.paused).toBe(false)
    MEDIA_ACTIONS.pause!({})
    expect(audio.paused).toBe(true)
  })
})

describe("silences", () => {
  it("are long pauses, also before the first and after the last word", () => {
    const word = (start: number, end: number) => ({ word: "w", start, end, speaker: "0" })
    expect(listSilences([word(2, 3), word(3.5, 4), word(10, 11)], 20)).toEqual([
      [0.3, 1.7],
      [4.3, 9.7],
      [11.3, 20],
    ])
    expect(listSilences([], 20)).toEqual([])
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
