"use client"
import { createContext, useContext } from "react"
import type { Clip } from "#lib/domain/clips.ts"
import type { Speaker } from "./speakers/speakers.ts"

/** The recording and its speakers, for all components of the page. */
export type RecordingContext = {
  readonly clip: Clip
  readonly speakers: readonly Speaker[]
  /** False if there are no speaker labels, so that all words belong to one invented speaker. */
  readonly areSpeakersKnown: boolean
}

const Context = createContext<RecordingContext | null>(null)
export const RecordingProvider = Context.Provider

export const useRecording = (): RecordingContext => {
  const context = useContext(Context)
  if (!context) throw new Error("useRecording must be used inside RecordingProvider")
  return context
}
