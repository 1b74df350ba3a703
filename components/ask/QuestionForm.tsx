"use client"
import { type KeyboardEvent, type SyntheticEvent, useId, useState } from "react"
import { MAX_QUESTION_CHARS } from "#lib/domain/constants.ts"
import type { QueryScope } from "#lib/domain/documents.ts"
import { Button } from "../ui/Button.tsx"
import { formatCount } from "../ui/format.ts"
import { Segmented } from "../ui/Segmented.tsx"

export const SCOPES = ["all", "clips", "documents"] as const
const SCOPE_LABELS: Readonly<Record<QueryScope, string>> = {
  all: "Everything",
  clips: "Recordings",
  documents: "Documents",
}

type QuestionFormProps = {
  scope: QueryScope
  onScope: (s: QueryScope) => void
  onAsk: (q: string) => void
  busy: boolean
  onStop: () => void
}

/** The question field with the choice of sources to search. */
export const QuestionForm = ({ scope, onScope, onAsk, busy, onStop }: QuestionFormProps) => {
  const [text, setText] = useState("")
  const hint = useId()
  const over = Math.max(0, text.trim().length - MAX_QUESTION_CHARS)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const question = text.trim()
    if (!question || busy || over > 0) return
    onAsk(question)
    setText("")
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event)
  }
  return (
    <form
      onSubmit={submit}
      className="grid gap-1 rounded-lg border border-line-strong bg-surface p-2 shadow-float focus-within:border-accent"
    >
      <textarea
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
        rows={Math.min(6, Math.max(1, text.split("\n").length))}
        aria-label="Question"
        aria-invalid={over > 0}
        aria-describedby={over > 0 ? hint : undefined}
        placeholder="Ask your recordings and documents"
        className="min-h-10 resize-none bg-transparent px-2.5 py-2 text-base outline-none placeholder:text-muted"
      />
      {over > 0 && (
        <p id={hint} role="alert" className="px-2.5 pb-1 text-sm text-bad">
          {`The question is ${formatCount(over, "character")} too long (at most ${MAX_QUESTION_CHARS.toLocaleString("en")}). Shorten it, or add the text as a document and ask about that.`}
        </p>
      )}
      <div className="flex items-center justify-between gap-2">
        <Segmented
          label="Sources to search"
          value={scope}
          onChange={onScope}
          options={SCOPES.map((value) => ({ value, label: SCOPE_LABELS[value] }))}
        />
        {busy ? (
          <Button icon="stop" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button type="submit" variant="primary" icon="send" disabled={!text.trim() || over > 0}>
            Ask
          </Button>
        )}
      </div>
    </form>
  )
}
