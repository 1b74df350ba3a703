"use client"
import { type KeyboardEvent, useEffect, useRef, useState } from "react"
import { MAX_TITLE_CHARS } from "#lib/domain/constants.ts"
import { notifyError } from "../../ui/toast-queue.ts"
import { useRecording } from "../recording-context.ts"
import { describeEditError } from "../recording-data.ts"
import { useTopicEdits } from "./topic-data.ts"
import type { Topic } from "./topic-list.ts"
import { renameTopic } from "./topic-renaming.ts"

/** Edits the title of a topic in the outline. Enter or leaving the field saves it, Escape does not. */
export const TopicTitleField = ({ topic: { node, number } }: { topic: Topic }) => {
  const { clip } = useRecording()
  const { edit } = useTopicEdits(clip.id)
  const [title, setTitle] = useState(node.title)
  const field = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useEffect(() => field.current?.select(), [])
  const finish = (isSaved: boolean) => {
    if (isDone.current) return
    const changed = title.trim()
    if (!isSaved || changed === "" || changed === node.title) {
      isDone.current = true
      return renameTopic(null)
    }
    isDone.current = true
    edit.mutate(
      { number, node, patch: { title: changed } },
      {
        onSuccess: () => renameTopic(null),
        onError: (error) => {
          isDone.current = false
          notifyError(`Couldn't save the title. ${describeEditError(error, clip.id)}`)
          field.current?.focus()
        },
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") finish(true)
    if (event.key === "Escape") finish(false)
  }
  return (
    <input
      ref={field}
      aria-label={`Title of the topic at ${Math.floor(node.start_s)} seconds`}
      value={title}
      maxLength={MAX_TITLE_CHARS}
      // biome-ignore lint/a11y/noAutofocus: the user asked to edit this title
      autoFocus
      disabled={edit.isPending}
      onChange={(event) => setTitle(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => finish(true)}
      className="w-full min-w-0 rounded-sm border border-line-strong bg-raised px-1.5 py-0.5 text-base font-[600]"
    />
  )
}
