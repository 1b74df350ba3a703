"use client"
import { useEffect } from "react"
import { Button, IconButton } from "../../ui/Button.tsx"
import { formatClock } from "../../ui/format.ts"
import { isTyping } from "../../ui/is-typing.ts"
import { getCurrentTime, usePlayer } from "../player/player.ts"
import { useRecording } from "../recording-context.ts"
import { useTopicChange, useTopicHistory } from "./topic-data.ts"

/** Adds a topic at the playback position, undoes the last change of topics and makes it again. */
export const OutlineToolbar = () => {
  const { clip } = useRecording()
  const { data: history } = useTopicHistory(clip.id)
  const { mutate, isPending } = useTopicChange(clip.id)
  const second = usePlayer((s) => s.second)
  const [canUndo, canRedo] = [!!history?.can_undo && !isPending, !!history?.can_redo && !isPending]
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isUndoKey = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.altKey
      if (!isUndoKey || event.defaultPrevented || isTyping(event)) return
      if (event.shiftKey ? !canRedo : !canUndo) return
      event.preventDefault()
      mutate({ action: event.shiftKey ? "redo" : "undo" })
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [mutate, canUndo, canRedo])
  return (
    <div role="toolbar" aria-label="Topics" className="flex items-center gap-0.5">
      <Button
        variant="quiet"
        icon="plus"
        className="-ml-1 mr-auto max-sm:h-11"
        disabled={isPending}
        title="Begin a new topic at the playback position"
        onClick={() => mutate({ action: "add", at_s: getCurrentTime(), level: 2 })}
      >
        New topic at <span className="numeric">{formatClock(second)}</span>
      </Button>
      <IconButton
        name="undo"
        label="Undo change of topics"
        aria-keyshortcuts="Control+Z Meta+Z"
        disabled={!canUndo}
        className="disabled:opacity-35 max-sm:size-11"
        onClick={() => mutate({ action: "undo" })}
      />
      <IconButton
        name="redo"
        label="Redo change of topics"
        aria-keyshortcuts="Control+Shift+Z Meta+Shift+Z"
        disabled={!canRedo}
        className="disabled:opacity-35 max-sm:size-11"
        onClick={() => mutate({ action: "redo" })}
      />
    </div>
  )
}
