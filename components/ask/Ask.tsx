"use client"
import { useEffect, useRef } from "react"
import type { QueryScope } from "#lib/domain/documents.ts"
import { DocumentList } from "../documents/DocumentList.tsx"
import { SetupSuggestions, useInstallation } from "../installation/SetupSuggestions.tsx"
import { Button } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { prefersReducedMotion } from "../ui/use-media.ts"
import { usePersistedChoice } from "../ui/use-persisted-choice.ts"
import { Answer } from "./Answer.tsx"
import {
  ask,
  isRunning,
  restoreConversation,
  retryQuestion,
  startNewConversation,
  stopAnswer,
  useConversation,
} from "./conversation.ts"
import { QuestionForm, SCOPES } from "./QuestionForm.tsx"

/** Says which engine answers questions. */
const ProviderNote = () => {
  const provider = useInstallation().data?.choices.provider
  return (
    <p className="-mt-6 min-h-5 px-2 text-sm text-muted">
      {provider &&
        (provider.value === "builtin"
          ? "The built-in engine answers with quotes from your sources."
          : `A language model of this installation (${provider.value}) writes the answers.`)}
    </p>
  )
}

/** The turn that the page last scrolled to. Kept across visits, so that returning to the page keeps its scroll position. */
let lastScrolledTurnId: number | null = null

/** The Ask page: a conversation about recordings and documents. `initialQuestion` is asked immediately. */
export const Ask = ({ first }: { first: string | null }) => {
  const turns = useConversation((s) => s.turns)
  const busy = turns.some(isRunning)
  const [scope, setScope] = usePersistedChoice<QueryScope>("earmark.scope", SCOPES, "all")
  const asked = useRef(false)
  const last = useRef<HTMLDivElement>(null)
  useEffect(restoreConversation, [])
  useEffect(() => {
    if (!first || asked.current) return
    // Deferred, because React may run an effect twice on mount.
    const timer = setTimeout(() => {
      asked.current = true
      window.history.replaceState(null, "", "/ask")
      void ask(first, "all")
    })
    return () => clearTimeout(timer)
  }, [first])
  const count = turns.length
  const newest = turns.at(-1)
  useEffect(() => {
    if (!newest || newest.id === lastScrolledTurnId) return
    lastScrolledTurnId = newest.id
    const glide = isRunning(newest) && !prefersReducedMotion()
    last.current?.scrollIntoView({ block: "start", behavior: glide ? "smooth" : "auto" })
  }, [newest])
  return (
    <div className="grid grid-cols-1 gap-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className={cx("flex min-w-0 flex-col gap-10", count > 0 && "min-h-[70vh]")}>
        {count === 0 && (
          <div className="grid max-w-2xl gap-3 pt-2">
            <h1 className="text-2xl font-[640]">Ask your recordings and documents</h1>
            <p className="text-lg text-muted">
              Answers use only your recordings and documents. Each source links to the second in a recording or the page
              of a document.
            </p>
          </div>
        )}
        {count > 0 && (
          <div className="-mb-4 flex items-center justify-between gap-3">
            <h1 className="text-sm font-[560] text-muted">Conversation</h1>
            <Button icon="plus" onClick={startNewConversation}>
              New conversation
            </Button>
          </div>
        )}
        {turns.map((turn, i) => (
          <div
            key={turn.id}
            ref={turn === newest ? last : null}
            className={cx(
              // The first turn keeps the page header in view.
              i === 0 ? "scroll-mt-40" : "scroll-mt-4",
              // Leaves room to scroll the newest turn to the top, however short its answer.
              i > 0 && turn === newest && "min-h-[calc(100dvh-14rem)] sm:min-h-[calc(100dvh-11rem)]",
            )}
          >
            <Answer turn={turn} onRetry={() => void retryQuestion(turn)} />
          </div>
        ))}
        <div className={cx(count > 0 && "sticky bottom-16 mt-auto sm:bottom-4")}>
          <QuestionForm
            scope={scope}
            onScope={setScope}
            onAsk={(q) => void ask(q, scope)}
            busy={busy}
            onStop={stopAnswer}
          />
        </div>
        <ProviderNote />
        <SetupSuggestions />
      </div>
      <DocumentList />
    </div>
  )
}
