"use client"
import { useEffect, useState } from "react"
import { errorMessage } from "../api/client.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { notify, UNDO_TIMEOUT_MS } from "../ui/toast-queue.ts"
import { CaptureControls } from "./CaptureControls.tsx"
import { type Capture, findObstacle, startCapture } from "./capture.ts"
import { KeptReview } from "./KeptReview.tsx"
import { type KeptRecording, listKept, removeKept } from "./kept-recordings.ts"
import { closeRecorder, markKept, openRecorder } from "./recorder-store.ts"

type Phase =
  | { readonly name: "starting" }
  | { readonly name: "recording"; readonly capture: Capture }
  | { readonly name: "review"; readonly recording: KeptRecording; readonly note: string | null }
  | { readonly name: "failed"; readonly message: string }

/** Asks before the page closes while a recording is made or not added yet. */
const useLeaveWarning = (isNeeded: boolean): void => {
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", warn)
    return () => window.removeEventListener("beforeunload", warn)
  }, [isNeeded])
}

/** Removes a recording, unless the person takes that back within a few seconds. */
const discard = ({ id }: KeptRecording): void => {
  closeRecorder()
  const timer = setTimeout(() => void removeKept(id), UNDO_TIMEOUT_MS)
  notify("Recording discarded", () => {
    clearTimeout(timer)
    openRecorder("add kept")
  })
}

const useRecording = (purpose: "record" | "add kept") => {
  const [phase, setPhase] = useState<Phase>({ name: "starting" })
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let isGone = false
    let open: Capture | null = null
    const fail = (error: unknown) => setPhase({ name: "failed", message: errorMessage(error) })
    const review = async (capture: Capture, note: string | null) =>
      setPhase({ name: "review", recording: await capture.stop(), note })
    const start = async () => {
      if (purpose === "add kept") {
        const [recording] = await listKept()
        if (recording) setPhase({ name: "review", recording, note: "It was not added to your library." })
        else {
          markKept(false)
          closeRecorder()
        }
        return
      }
      const obstacle = findObstacle()
      if (obstacle !== null) return setPhase({ name: "failed", message: obstacle })
      const capture = await startCapture({
        onLost: () => void review(capture, "The microphone was disconnected.").catch(fail),
        onProblem: setProblem,
      })
      open = capture
      if (isGone) await capture.stop()
      else setPhase({ name: "recording", capture })
    }
    start().catch(fail)
    return () => {
      isGone = true
      void open?.stop()
    }
  }, [purpose])
  return { phase, setPhase, problem }
}

/** Records the microphone on all pages, and adds the recording to the library. */
export const Recorder = ({ purpose }: { purpose: "record" | "add kept" }) => {
  const { phase, setPhase, problem } = useRecording(purpose)
  useLeaveWarning(phase.name === "recording" || phase.name === "review")
  return (
    <section
      aria-label="Recorder"
      data-recorder
      className="panel fixed inset-x-0 bottom-[calc(var(--tabs)+var(--page-dock)+var(--mini-dock))] z-30 mx-auto grid gap-2 px-3 py-2.5 max-sm:rounded-none max-sm:border-x-0 max-sm:border-b-0 sm:bottom-[calc(1rem+var(--mini-dock))] sm:w-[min(36rem,calc(100vw-2rem))]"
    >
      {phase.name === "starting" && (
        <p role="status" className="flex min-h-11 items-center gap-3 px-1 text-sm text-soft">
          <Icon name="mic" /> Allow the microphone to start…
          <Button variant="quiet" className="ml-auto" onClick={closeRecorder}>
            Cancel
          </Button>
        </p>
      )}
      {phase.name === "recording" && (
        <CaptureControls
          capture={phase.capture}
          onStop={async () => setPhase({ name: "review", recording: await phase.capture.stop(), note: null })}
        />
      )}
      {phase.name === "review" && (
        <KeptReview
          key={phase.recording.id}
          recording={phase.recording}
          note={phase.note}
          onDiscard={() => discard(phase.recording)}
        />
      )}
      {phase.name === "failed" && (
        <div role="alert" className="flex min-h-11 items-center gap-3 px-1 text-sm">
          <Icon name="alert" className="shrink-0 text-bad" />
          <p className="min-w-0 flex-1">{phase.message}</p>
          <IconButton name="close" label="Close the recorder" onClick={closeRecorder} className="size-11" />
        </div>
      )}
      {problem && (
        <p role="alert" className="px-1 text-sm text-bad">
          {problem}
        </p>
      )}
    </section>
  )
}
