"use client"
import { createContext, useContext } from "react"
import type { Clip } from "#lib/domain/clips.ts"
import type { Speaker } from "./speakers/speakers.ts"

/** What many small parts of the page need of the recording. */
export type RecordingContext = { readonly clip: Clip; readonly speakers: readonly Speaker[] }

const Context = createContext<RecordingContext | null>(null)
export const RecordingProvider = Context.Provider

export const useRecording = (): RecordingContext => {
  const found = useContext(Context)
  if (!found) throw new Error("this part stands inside a recording's page")
  return found
}
