import { useSyncExternalStore } from "react"
import { create } from "zustand"
import { client } from "../../api/client.ts"
import { forgetPosition, readPosition, savePosition } from "./positions.ts"

/** What the player needs to know about a recording. All times are in seconds. */
export type PlayableRecording = {
  readonly id: string
  readonly title: string
  readonly duration_s: number
  /** False if no recording is kept, so that only the position can be moved. */
  readonly hasAudio: boolean
  /** True if the kind of its file can contain a picture. Whether it does shows when the file is loaded. */
  readonly mayHavePicture: boolean
  /** The starts of its topics, to which the keys of a headset skip. */
  readonly topicStarts: readonly number[]
  /** Pauses between words that are skipped on demand. */
  readonly silences: readonly (readonly [from: number, to: number])[]
}

/** Names of files that can contain a picture. */
const VIDEO_FILE = /\.(?:mp4|m4v|mov|webm|mkv|ogv|avi|mpe?g|m?ts|3gp)$/i

/** Returns true if the kind of a file can contain a picture. */
export const mayHavePicture = (filePath: string | null): boolean => filePath !== null && VIDEO_FILE.test(filePath)

/** The state of the recording of the open page. */
type PlayerState = {
  readonly isPlaying: boolean
  readonly rate: number
  readonly skipsSilence: boolean
  /** The playback time in whole seconds, for text. Animations use `subscribeToTime` instead. */
  readonly second: number
  /** `loading` until the audio or its absence is known. */
  readonly audio: "loading" | "present" | "absent"
  /** Why playback failed. */
  readonly problem: string | null
  /** True while the transcript scrolls along with playback. */
  readonly isFollowing: boolean
  /** Incremented by every seek, including one to the current position. */
  readonly seekCount: number
  /** The recording that plays although its page is not open; null if there is none. */
  readonly docked: PlayableRecording | null
  readonly isDockPlaying: boolean
  readonly dockSecond: number
  /** The ID of the loaded recording if it has a picture. */
  readonly picturedId: string | null
}

const PAGE_STATE = {
  isPlaying: false,
  second: 0,
  audio: "loading",
  problem: null,
  isFollowing: true,
  seekCount: 0,
} as const

export const usePlayer = create<PlayerState>(() => ({
  ...PAGE_STATE,
  rate: 1,
  skipsSilence: false,
  docked: null,
  isDockPlaying: false,
  dockSecond: 0,
  picturedId: null,
}))

type Media = Pick<
  HTMLMediaElement,
  "addEventListener" | "currentTime" | "load" | "pause" | "paused" | "play" | "playbackRate" | "readyState" | "src"
> & { defaultPlaybackRate: number; removeAttribute(name: string): void; readonly videoWidth?: number }

/** The elements that play all recordings: one for sound, one for recordings that may have a picture. */
let elements: { readonly audio: Media; readonly video: Media } | null = null
let media: Media | null = null
/** The recording in the media element. */
let loaded: PlayableRecording | null = null
/** The position at which the loaded recording starts once its metadata is known. */
let startAt_s = 0
/** The recording of the open page, and its position while another recording is loaded. */
let page: PlayableRecording | null = null
let pagePosition_s = 0
let frame = 0
let savedAt_s = 0

const isPageLoaded = (): boolean => page !== null && loaded?.id === page.id
const getLoadedTime = (): number => (media && media.readyState > 0 ? media.currentTime : startAt_s)

const listeners = new Set<(time: number) => void>()

/** Calls `listener` with the time in seconds on every frame while playing and on every seek. @returns an unsubscribe function */
export const subscribeToTime = (listener: (time: number) => void): (() => void) => {
  listeners.add(listener)
  listener(getCurrentTime())
  return () => listeners.delete(listener)
}

/** Returns the position in the recording of the open page. */
export const getCurrentTime = (): number => (isPageLoaded() ? getLoadedTime() : pagePosition_s)

/** Returns `derive(time)` for the current time and renders only when the result changes. `derive` must be pure. */
export const useTimeDerived = <T>(derive: (time: number) => T, initialValue: T): T =>
  useSyncExternalStore(
    subscribeToTime,
    () => derive(getCurrentTime()),
    () => initialValue,
  )

const notifyListeners = (): void => {
  const time = getCurrentTime()
  for (const listener of listeners) listener(time)
  const second = Math.floor(time)
  if (second !== usePlayer.getState().second) usePlayer.setState({ second })
  const dockSecond = Math.floor(getLoadedTime())
  if (usePlayer.getState().docked && dockSecond !== usePlayer.getState().dockSecond) usePlayer.setState({ dockSecond })
}

/** Tells the page and the dock whether they show the recording that is loaded. */
const publish = (): void => {
  const isPlaying = media !== null && loaded !== null && !media.paused
  const isDocked = loaded !== null && !isPageLoaded() && (isPlaying || usePlayer.getState().docked !== null)
  usePlayer.setState({
    isPlaying: isPlaying && isPageLoaded(),
    docked: isDocked ? loaded : null,
    isDockPlaying: isPlaying && isDocked,
    dockSecond: Math.floor(getLoadedTime()),
    picturedId: loaded && media && media.readyState > 0 && media.videoWidth ? loaded.id : null,
  })
}

/** The position is saved this often while a recording plays. */
const SAVE_INTERVAL_S = 5

const rememberPosition = (): void => {
  if (!loaded || !media || media.readyState === 0) return
  savedAt_s = media.currentTime
  savePosition(loaded.id, media.currentTime, loaded.duration_s)
}

const skipSilence = (): void => {
  if (!media || !loaded || !usePlayer.getState().skipsSilence) return
  const time = media.currentTime
  const silence = loaded.silences.find(([from, to]) => time >= from && time < to)
  if (silence) media.currentTime = silence[1]
}

const tick = (): void => {
  skipSilence()
  notifyListeners()
  if (media && Math.abs(media.currentTime - savedAt_s) >= SAVE_INTERVAL_S) rememberPosition()
  frame = requestAnimationFrame(tick)
}

/** Describes playback to the lock screen and to headset keys. */
const updateMediaSession = (): void => {
  if (typeof navigator === "undefined" || !("mediaSession" in navigator)) return
  const session = navigator.mediaSession
  session.playbackState = loaded === null ? "none" : media?.paused ? "paused" : "playing"
  if (!loaded) {
    session.metadata = null
    return
  }
  const { duration_s } = loaded
  const position = Math.min(Math.max(0, getLoadedTime()), duration_s)
  session.setPositionState?.({ duration: duration_s, position, playbackRate: usePlayer.getState().rate })
}

const describeRecording = ({ title }: PlayableRecording): void => {
  if (typeof MediaMetadata === "undefined") return
  const artwork = [192, 512].map((size) => ({ src: `/icons/${size}.png`, sizes: `${size}x${size}`, type: "image/png" }))
  navigator.mediaSession.metadata = new MediaMetadata({ title, artist: "Earmark", artwork })
}

const onPlay = (): void => {
  if (isPageLoaded()) usePlayer.setState({ audio: "present", problem: null })
  if (loaded) describeRecording(loaded)
  cancelAnimationFrame(frame)
  frame = requestAnimationFrame(tick)
  publish()
  updateMediaSession()
}
const onPause = (): void => {
  cancelAnimationFrame(frame)
  rememberPosition()
  publish()
  notifyListeners()
  updateMediaSession()
}
const onEnded = (): void => {
  onPause()
  if (loaded) forgetPosition(loaded.id)
}
const onReady = (): void => {
  if (media && startAt_s > 0) media.currentTime = startAt_s
  if (isPageLoaded()) usePlayer.setState({ audio: "present" })
  publish()
  notifyListeners()
}
const onSeeked = (): void => {
  notifyListeners()
  updateMediaSession()
}
const onError = (): void => {
  // Removing the source of an element is an error, too.
  if (!loaded) return
  if (isPageLoaded()) usePlayer.setState({ audio: "absent" })
  publish()
}

const EVENTS = {
  play: onPlay,
  pause: onPause,
  ended: onEnded,
  loadedmetadata: onReady,
  seeked: onSeeked,
  error: onError,
} as const

const load = (recording: PlayableRecording, at_s: number): void => {
  if (!elements) return
  rememberPosition()
  media?.pause()
  if (media && loaded) {
    loaded = null
    media.removeAttribute("src")
    media.load()
  }
  media = recording.mayHavePicture ? elements.video : elements.audio
  loaded = recording
  startAt_s = at_s
  savedAt_s = at_s
  // Loading resets the rate to the default one.
  media.defaultPlaybackRate = usePlayer.getState().rate
  media.src = client.audioUrl(recording.id)
  media.playbackRate = usePlayer.getState().rate
  publish()
}

const play = (): void => {
  media?.play().catch((error: Error) => {
    // Another load or a pause came first.
    if (error.name !== "AbortError") usePlayer.setState({ problem: error.message })
  })
}

const isLoadedPlaying = (): boolean => media !== null && loaded !== null && !media.paused

/** Connects the player to the elements of the shell, which outlive the pages. @returns a function that disconnects them */
export const attachElements = (audio: Media, video: Media): (() => void) => {
  elements = { audio, video }
  const own = [audio, video]
  for (const element of own)
    for (const [name, run] of Object.entries(EVENTS))
      element.addEventListener(name, () => {
        if (element === media) run()
      })
  if (page?.hasAudio && !loaded) load(page, pagePosition_s)
  return () => {
    cancelAnimationFrame(frame)
    media?.pause()
    elements = null
    media = null
    loaded = null
    publish()
  }
}

/**
 * Makes a recording that of the open page. It is loaded at the position where it was left, unless another recording plays:
 * that one continues in the dock. @returns a function to call when the page is closed
 */
export const openRecording = (recording: PlayableRecording): (() => void) => {
  page = recording
  const isContinued = loaded?.id === recording.id
  if (isContinued) loaded = recording
  else {
    pagePosition_s = recording.hasAudio ? readPosition(recording.id, recording.duration_s) : 0
    usePlayer.setState({
      ...PAGE_STATE,
      audio: recording.hasAudio ? "loading" : "absent",
      // The page shows its beginning; the button “Follow” leads to where playback stopped.
      isFollowing: pagePosition_s === 0,
    })
    if (recording.hasAudio && !isLoadedPlaying()) {
      usePlayer.setState({ docked: null })
      load(recording, pagePosition_s)
    }
  }
  if (isContinued && media && media.readyState > 0) usePlayer.setState({ audio: "present" })
  publish()
  notifyListeners()
  return () => {
    if (page?.id !== recording.id) return
    if (isPageLoaded()) pagePosition_s = getLoadedTime()
    page = null
    usePlayer.setState({ ...PAGE_STATE, docked: isLoadedPlaying() ? loaded : null })
    pagePosition_s = 0
    publish()
  }
}

/** Replaces what is known about the recording of the page, for example after its topics were edited. */
export const updateRecording = (recording: PlayableRecording): void => {
  if (page?.id !== recording.id) return
  page = recording
  if (loaded?.id === recording.id) loaded = recording
}

const seekLoaded = (to: number): void => {
  if (!loaded) return
  const time = Math.max(0, Math.min(loaded.duration_s || to, to))
  startAt_s = time
  if (media && media.readyState > 0) media.currentTime = time
}

/** Seeks to a time in seconds in the recording of the page, and lets the transcript follow playback again. */
export const seek = (to: number): void => {
  if (isPageLoaded()) seekLoaded(to)
  else pagePosition_s = Math.max(0, Math.min(page?.duration_s || to, to))
  usePlayer.setState(({ seekCount }) => ({ isFollowing: true, seekCount: seekCount + 1 }))
  notifyListeners()
}

/** Plays or pauses the recording of the page. Another recording that plays stops. */
export const togglePlayback = (): void => {
  if (!page) {
    toggleDock()
    return
  }
  if (!page.hasAudio || usePlayer.getState().audio === "absent") return
  if (!isPageLoaded()) load(page, pagePosition_s)
  if (!media) return
  if (media.paused) play()
  else media.pause()
}

/** Plays or pauses the recording in the dock. */
export const toggleDock = (): void => {
  if (!media || !loaded) return
  if (media.paused) play()
  else media.pause()
}

/** Plays a recording from a time in seconds while its page is not open. */
export const playInDock = (recording: PlayableRecording, from_s: number): void => {
  if (loaded?.id === recording.id) seekLoaded(from_s)
  else load(recording, from_s)
  play()
  notifyListeners()
}

/** Moves the position of the recording that plays, on its page or in the dock, by seconds. */
export const skip = (by_s: number): void => {
  if (isPageLoaded()) seek(getLoadedTime() + by_s)
  else {
    seekLoaded(getLoadedTime() + by_s)
    notifyListeners()
  }
}

/** Stops the recording in the dock and closes the dock. */
export const closeDock = (): void => {
  rememberPosition()
  media?.pause()
  media?.removeAttribute("src")
  media?.load()
  loaded = null
  usePlayer.setState({ docked: null, isDockPlaying: false })
  if (page?.hasAudio) load(page, pagePosition_s)
  updateMediaSession()
}

export const PLAYBACK_RATES = [0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const

export const setPlaybackRate = (rate: number): void => {
  if (media) media.playbackRate = rate
  usePlayer.setState({ rate })
  updateMediaSession()
}

export const setSkipsSilence = (skipsSilence: boolean): void => usePlayer.setState({ skipsSilence })

/** The keys of headsets and lock screens. Previous and next lead to the topics of the recording. */
export const MEDIA_ACTIONS: Readonly<
  Partial<Record<MediaSessionAction, (details: { readonly seekOffset?: number; readonly seekTime?: number }) => void>>
> = {
  play: () => media?.paused && toggleDock(),
  pause: () => media && !media.paused && toggleDock(),
  seekbackward: ({ seekOffset }) => skip(-(seekOffset ?? 10)),
  seekforward: ({ seekOffset }) => skip(seekOffset ?? 10),
  seekto: ({ seekTime }) => seekTime !== undefined && skip(seekTime - getLoadedTime()),
  previoustrack: () => skip((loaded?.topicStarts.findLast((s) => s < getLoadedTime() - 2) ?? 0) - getLoadedTime()),
  nexttrack: () => {
    const next = loaded?.topicStarts.find((s) => s > getLoadedTime() + 0.5)
    if (next !== undefined) skip(next - getLoadedTime())
  },
}
