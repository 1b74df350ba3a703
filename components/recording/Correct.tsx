"use client"
import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { TextField } from "../ui/Field.tsx"
import type { Block } from "./blocks.ts"
import { useInHand } from "./context.ts"
import { correctionOf } from "./correction.ts"
import { useCorrect } from "./data.ts"

/** A paragraph being written over. Enter saves, Escape leaves it as it was. */
export const Correct = ({ block, onClose }: { block: Block; onClose: () => void }) => {
  const { clip } = useInHand()
  const correct = useCorrect(clip.id)
  const words = clip.transcription.slice(block.first, block.end)
  const [text, setText] = useState(() => words.map((w) => w.word).join(" "))
  const save = () => {
    const edit = correctionOf(words, text)
    if (edit) correct.mutate({ edits: [edit], said: "Corrected" })
    onClose()
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
        hidden
        label="What was said here"
        value={text}
        autoFocus
        rows={Math.min(12, Math.max(3, Math.ceil(text.length / 70)))}
        onChange={(event) => setText(event.target.value)}
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
        <p className="text-xs text-muted">Words that you leave alone keep their time.</p>
        <div className="flex gap-2">
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary">
            Save
          </Button>
        </div>
      </div>
    </form>
  )
}
