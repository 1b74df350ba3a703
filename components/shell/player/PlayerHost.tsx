"use client"
import { useEffect, useRef } from "react"
import { readPlaybackChoices, storePlaybackChoices } from "../../recording/player/playback-choices.ts"
import {
  attachElements,
  MEDIA_ACTIONS,
  setPlaybackRate,
  setSkipsSilence,
  usePlayer,
} from "../../recording/player/player.ts"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { PictureStage } from "./PictureStage.tsx"

const Dock = lazyWithRetry(() => import("./Dock.tsx").then((m) => m.Dock))

/** Restores the speed and whether silence is skipped, and remembers changes in this browser. */
const usePlaybackChoices = (): void => {
  useEffect(() => {
    const { rate, skipsSilence } = readPlaybackChoices()
    setPlaybackRate(rate)
    setSkipsSilence(skipsSilence)
    return usePlayer.subscribe((state, before) => {
      if (state.rate !== before.rate || state.skipsSilence !== before.skipsSilence) storePlaybackChoices(state)
    })
  }, [])
}

const useMediaActions = (): void => {
  useEffect(() => {
    if (!("mediaSession" in navigator)) return
    const names = Object.keys(MEDIA_ACTIONS) as MediaSessionAction[]
    for (const name of names)
      try {
        navigator.mediaSession.setActionHandler(name, MEDIA_ACTIONS[name]!)
      } catch {
        // The browser does not know this action.
      }
    return () => {
      for (const name of names)
        try {
          navigator.mediaSession.setActionHandler(name, null)
        } catch {
          // See above.
        }
    }
  }, [])
}

/** Holds the elements that play all recordings, so that playback outlives the pages. */
export const PlayerHost = () => {
  const audio = useRef<HTMLAudioElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const isDocked = usePlayer((s) => s.docked !== null)
  useEffect(() => attachElements(audio.current!, video.current!), [])
  usePlaybackChoices()
  useMediaActions()
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript on the page is the caption */}
      <audio ref={audio} preload="metadata" />
      <PictureStage video={video} />
      {isDocked && <Dock />}
    </>
  )
}
