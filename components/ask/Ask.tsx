"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import type { QueryScope } from "#lib/domain/documents.ts"
import { queryKeys } from "../api/query-keys.ts"
import { DocumentList } from "../documents/DocumentList.tsx"
import { SetupSuggestions, useInstallation } from "../installation/SetupSuggestions.tsx"
import { Button, IconButton } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Notice } from "../ui/Notice.tsx"
import { prefersReducedMotion, useMedia } from "../ui/use-media.ts"
import { usePersistedChoice } from "../ui/use-persisted-choice.ts"
import { Answer } from "./Answer.tsx"
import {
  ask,
  isRunning,
  openThread,
  retryQuestion,
  startNewConversation,
  stopAnswer,
  useConversation,
} from "./conversation.ts"
import { QuestionForm, SCOPES } from "./QuestionForm.tsx"
import { type Suggestion, Suggestions } from "./Suggestions.tsx"
import { type Chip, toFilter } from "./scope-chips.ts"
import { ThreadList } from "./ThreadList.tsx"

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

/** The saved conversations beside the page. */
const ThreadsSection = () => (
  <section aria-label="Saved conversations" className="grid gap-2">
    <div className="flex items-center justify-between">
      <h2 className="text-lg font-[620]">Conversations</h2>
      <IconButton name="plus" label="New conversation" onClick={startNewConversation} />
    </div>
    <ThreadList />
  </section>
)

/** Opens the saved conversations where there is no room beside the page. */
const ThreadsButton = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="-mb-6 lg:hidden">
      <Button icon="list" className="h-11 w-fit" onClick={() => setOpen(true)}>
        Conversations
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Conversations">
        <ThreadList onOpened={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

/** The turn that the page last scrolled to. Kept across visits, so that returning to the page keeps its scroll position. */
let lastScrolledTurnId: number | null = null

const Turns = () => {
  const turns = useConversation((s) => s.turns)
  const last = useRef<HTMLDivElement>(null)
  const newest = turns.at(-1)
  useEffect(() => {
    if (!newest || newest.id === lastScrolledTurnId) return
    lastScrolledTurnId = newest.id
    const glide = isRunning(newest) && !prefersReducedMotion()
    last.current?.scrollIntoView({ block: "start", behavior: glide ? "smooth" : "auto" })
  }, [newest])
  return turns.map((turn, i) => (
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
  ))
}

const ConversationHeader = () => {
  const title = useConversation((s) => s.thread?.title)
  return (
    <div className="-mb-4 flex min-w-0 items-center justify-between gap-3">
      <h1 className="min-w-0 truncate text-sm font-[560] text-muted">
        <bdi>{title || "Conversation"}</bdi>
      </h1>
      <Button icon="plus" onClick={startNewConversation} className="lg:hidden">
        New conversation
      </Button>
    </div>
  )
}

const Introduction = ({ onAsk }: { onAsk: (suggestion: Suggestion) => void }) => (
  <div className="grid max-w-3xl gap-6 pt-2">
    <div className="grid gap-3">
      <h1 className="text-2xl font-[640]">Ask your recordings and documents</h1>
      <p className="text-lg text-muted">
        Answers use only your recordings and documents. Each source links to the second in a recording or the page of a
        document. Type @ to ask only some of them.
      </p>
    </div>
    <Suggestions onAsk={onAsk} />
  </div>
)

/** Loads the conversation of the address, or asks its question. */
const useAddress = (question: string | null, threadId: string | null) => {
  const isHandled = useRef(false)
  useEffect(() => {
    // Deferred, because React may run an effect twice on mount.
    const timer = setTimeout(() => {
      if (isHandled.current) return
      isHandled.current = true
      const { thread } = useConversation.getState()
      if (question) {
        startNewConversation()
        void ask(question, "all", null)
      } else if (threadId ?? thread?.id) void openThread(threadId ?? thread!.id)
    })
    return () => clearTimeout(timer)
  }, [question, threadId])
}

type AskProps = { first: string | null; threadId: string | null }

/** The Ask page: conversations about recordings and documents. The question `first` is asked immediately. */
export const Ask = ({ first, threadId }: AskProps) => {
  const { turns, problem, isLoading } = useConversation()
  const queryClient = useQueryClient()
  const isWide = useMedia("(min-width: 1024px)")
  const busy = turns.some(isRunning)
  const [scope, setScope] = usePersistedChoice<QueryScope>("earmark.scope", SCOPES, "all")
  const [chips, setChips] = useState<readonly Chip[]>([])
  useAddress(first, threadId)
  // An answer that has ended changes the list of conversations.
  useEffect(() => {
    if (!busy) void queryClient.invalidateQueries({ queryKey: queryKeys.threads })
  }, [busy, queryClient])
  const askSuggestion = ({ question, chip }: Suggestion) => {
    setChips([chip])
    void ask(question, "all", toFilter([chip]))
  }
  const isEmpty = turns.length === 0
  return (
    <div className="grid grid-cols-1 gap-10 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <div className={cx("flex min-w-0 flex-col gap-10 lg:order-last", !isEmpty && "min-h-[70vh]")}>
        {!isWide && <ThreadsButton />}
        {isEmpty && !isLoading && <Introduction onAsk={askSuggestion} />}
        {isLoading && <p className="animate-pulse text-muted">Opening the conversation…</p>}
        {!isEmpty && <ConversationHeader />}
        {problem && <Notice tone="plain">{problem}</Notice>}
        <Turns />
        <div className={cx(!isEmpty && "sticky bottom-16 z-10 mt-auto sm:bottom-4")}>
          <QuestionForm
            scope={scope}
            onScope={setScope}
            chips={chips}
            onChips={setChips}
            onAsk={(q) => void ask(q, scope, toFilter(chips))}
            busy={busy}
            onStop={stopAnswer}
          />
        </div>
        <ProviderNote />
        <SetupSuggestions />
      </div>
      <div className="grid content-start gap-10">
        {isWide && <ThreadsSection />}
        <DocumentList />
      </div>
    </div>
  )
}
