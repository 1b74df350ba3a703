"use client"
import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef, useState } from "react"
import type { QueryScope } from "#lib/contracts/documents.ts"
import { Better, useInstallation } from "../status/Better.tsx"
import { Button } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { Segmented } from "../ui/Segmented.tsx"
import { useKept } from "../ui/use-kept.ts"
import { prefersReducedMotion } from "../ui/use-media.ts"
import { Answer } from "./Answer.tsx"
import { ask, askAgain, beginAnew, isRunning, resume, stop, useConversation } from "./conversation.ts"
import { Documents } from "./Documents.tsx"

const SCOPES = ["all", "clips", "documents"] as const
const SCOPE_LABELS: Readonly<Record<QueryScope, string>> = {
  all: "Everything",
  clips: "Recordings",
  documents: "Documents",
}

type FieldProps = {
  scope: QueryScope
  onScope: (s: QueryScope) => void
  onAsk: (q: string) => void
  busy: boolean
  onStop: () => void
}

const Question = ({ scope, onScope, onAsk, busy, onStop }: FieldProps) => {
  const [text, setText] = useState("")
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const question = text.trim()
    if (!question || busy) return
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
        maxLength={10_000}
        aria-label="Your question"
        placeholder="Ask your recordings and documents"
        className="min-h-10 resize-none bg-transparent px-2.5 py-2 text-base outline-none placeholder:text-muted"
      />
      <div className="flex items-center justify-between gap-2">
        <Segmented
          label="Where to look"
          value={scope}
          onChange={onScope}
          options={SCOPES.map((value) => ({ value, label: SCOPE_LABELS[value] }))}
        />
        {busy ? (
          <Button icon="stop" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button type="submit" look="primary" icon="send" disabled={!text.trim()}>
            Ask
          </Button>
        )}
      </div>
    </form>
  )
}

/** Who will answer. */
const By = () => {
  const made = useInstallation().data?.choices.provider
  return (
    <p className="-mt-6 min-h-5 px-2 text-sm text-muted">
      {made &&
        (made.value === "builtin"
          ? "The built-in engine answers, with sentences of your sources as they stand."
          : `Answers are written by a language model of this installation (${made.value}).`)}
    </p>
  )
}

/** Questions over everything that was said and read, with sources that can be opened. `first` is asked at once. */
export const Ask = ({ first }: { first: string | null }) => {
  const turns = useConversation((s) => s.turns)
  const busy = turns.some(isRunning)
  const [scope, setScope] = useKept<QueryScope>("earmark.scope", SCOPES, "all")
  const asked = useRef(false)
  const end = useRef<HTMLDivElement>(null)
  useEffect(resume, [])
  useEffect(() => {
    if (!first || asked.current) return
    // Not before the page stands: React may take a first effect back and run it again.
    const timer = setTimeout(() => {
      asked.current = true
      window.history.replaceState(null, "", "/ask")
      void ask(first, "all")
    })
    return () => clearTimeout(timer)
  }, [first])
  const count = turns.length
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: "end", behavior: prefersReducedMotion() ? "auto" : "smooth" })
  }, [count])
  return (
    <div className="grid grid-cols-1 gap-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className={cx("flex min-w-0 flex-col gap-10", count > 0 && "min-h-[70vh]")}>
        {count === 0 && (
          <div className="grid max-w-2xl gap-3 pt-2">
            <h1 className="text-2xl font-[640]">Ask what was said and written</h1>
            <p className="text-lg text-muted">
              Answers come from your recordings and documents alone, and name their sources: the second of a recording,
              the passage of a document.
            </p>
          </div>
        )}
        {count > 0 && (
          <div className="-mb-4 flex items-center justify-between gap-3">
            <h1 className="text-sm font-[560] text-muted">This conversation</h1>
            <Button icon="plus" onClick={beginAnew}>
              New conversation
            </Button>
          </div>
        )}
        {turns.map((turn) => (
          <Answer key={turn.id} turn={turn} onAgain={() => void askAgain(turn)} />
        ))}
        <div ref={end} className={cx("scroll-mb-4", count > 0 && "sticky bottom-16 mt-auto sm:bottom-4")}>
          <Question scope={scope} onScope={setScope} onAsk={(q) => void ask(q, scope)} busy={busy} onStop={stop} />
        </div>
        <By />
        <Better />
      </div>
      <Documents />
    </div>
  )
}
