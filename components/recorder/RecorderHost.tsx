"use client"
import { useEffect } from "react"
import { lazyWithRetry } from "../ui/lazy-with-retry.tsx"
import { closeRecorder, hasKept, openRecorder, useRecorderState } from "./recorder-store.ts"

const Recorder = lazyWithRetry(() => import("./Recorder.tsx").then((m) => m.Recorder), {
  overlay: true,
  onDismiss: closeRecorder,
})

/** Shows the recorder on all pages while it is open, and opens it for a recording that an earlier page has left. */
export const RecorderHost = () => {
  const purpose = useRecorderState((s) => s.purpose)
  useEffect(() => {
    if (hasKept()) openRecorder("add kept")
  }, [])
  return purpose && <Recorder purpose={purpose} />
}
