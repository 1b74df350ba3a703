"use client"
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { useRecording } from "../recording-context.ts"
import { describeEditError, useWordEdits } from "../recording-data.ts"
import type { Draft } from "./correction-drafts.ts"
import { createTextEdit } from "./word-edits.ts"

/** Edits the words of a paragraph. Enter saves, Escape cancels. If saving fails, the text stays in the form. */
export const CorrectionForm = ({ draft, onClose }: { draft: Draft; onClose: () => void }) => {
  const { clip } = useRecording()
  const correct = useWordEdits(clip.id)
  const [text, setText] = useState(draft.text)
  const updateText = (next: string) => {
    draft.text = next
    setText(next)
  }
  const save = () => {
    if (correct.isPending) return
    const edit = createTextEdit(draft.words, text)
    if (edit) correct.mutate({ edits: [edit], message: "Correction saved", isFromForm: true }, { onSuccess: onClose })
    else onClose()
  }
  return (
    <form
      className="grid max-w-[46rem] gap-2 px-2 py-2 sm:ml-[5.25rem] sm:px-3"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextField
        hideLabel
        label="Corrected text"
        value={text}
        autoFocus
        rows={Math.min(12, Math.max(3, Math.ceil(text.length / 70)))}
        error={correct.isError ? `Couldn't save the correction. ${describeEditError(correct.error, clip.id)}` : null}
        onChange={(event) => updateText(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === "Escape") onClose()
          else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault()
            save()
          }
        }}
      />
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs text-muted">Unchanged words keep their times.</p>
        <div className="flex gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={correct.isPending}>
            {correct.isPending ? "Saving…" : correct.isError ? "Try again" : "Save"}
          </Button>
        </div>
      </div>
    </form>
  )
}
