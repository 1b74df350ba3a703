import { create } from "zustand"
import type { QueryCitation, QueryScope, QuerySource } from "#lib/domain/documents.ts"
import { client, errorMessage } from "../api/client.ts"

/** A question with as much of its answer as there is. */
export type Turn = {
  readonly id: number
  readonly question: string
  readonly scope: QueryScope
  readonly sources: readonly QuerySource[]
  readonly answer: string
  /** What the marks of the answer lead to; missing until it is whole. */
  readonly citations?: readonly QueryCitation[]
  readonly state: "asking" | "writing" | "done" | "stopped" | "failed"
  readonly error?: string
  /** Who answered. */
  readonly by?: string
}

type Conversation = { readonly turns: readonly Turn[]; readonly next: number }

const STORAGE_KEY = "earmark.conversation"
/** So many of the last turns are kept: a tab's storage is small. */
const MAX_STORED_TURNS = 40
const EMPTY: Conversation = { turns: [], next: 0 }

/** The conversation of this tab: it stands above the pages, so that one may leave, look at a source, and come back. */
export const useConversation = create<Conversation>(() => EMPTY)

export const isRunning = ({ state }: Turn): boolean => state === "asking" || state === "writing"

const persist = (): void => {
  const { turns, next } = useConversation.getState()
  try {
    if (turns.length === 0) window.sessionStorage.removeItem(STORAGE_KEY)
    else window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ turns: turns.slice(-MAX_STORED_TURNS), next }))
  } catch {
    // A browser that keeps nothing, or no more, has the conversation until the page is loaded anew.
  }
}

/** What was kept of a conversation; an answer that was under way when the page went was cut off. Null: nothing of use. */
export const parseConversation = (kept: string | null): Conversation | null => {
  try {
    const { turns, next } = JSON.parse(kept ?? "") as Conversation
    return { turns: turns.map((turn) => (isRunning(turn) ? { ...turn, state: "stopped" } : turn)), next }
  } catch {
    return null
  }
}

/** Takes up what this tab was at before the page was loaded; what has begun since goes before. */
export const restoreConversation = (): void => {
  if (useConversation.getState() !== EMPTY) return
  try {
    const kept = parseConversation(window.sessionStorage.getItem(STORAGE_KEY))
    if (kept) useConversation.setState(kept)
  } catch {
    // As above.
  }
}

let running: AbortController | null = null

export const stopAnswer = (): void => running?.abort()

/** Ends what runs and begins with an empty sheet. */
export const startNewConversation = (): void => {
  stopAnswer()
  useConversation.setState(({ next }) => ({ turns: [], next }))
  persist()
}

/** Asks anew what got no whole answer; the broken one goes. */
export const retryQuestion = ({ id, question, scope }: Turn): Promise<void> => {
  useConversation.setState(({ turns }) => ({ turns: turns.filter((turn) => turn.id !== id) }))
  return ask(question, scope)
}

/** Asks one question; the one before is stopped. The answer comes in whatever page is shown meanwhile. */
export const ask = async (question: string, scope: QueryScope): Promise<void> => {
  stopAnswer()
  const own = new AbortController()
  running = own
  const id = useConversation.getState().next
  const asked: Turn = { id, question, scope, sources: [], answer: "", state: "asking" }
  useConversation.setState(({ turns }) => ({ turns: [...turns, asked], next: id + 1 }))
  persist()
  const patch = (change: (turn: Turn) => Partial<Turn>) =>
    useConversation.setState(({ turns }) => ({
      turns: turns.map((turn) => (turn.id === id ? { ...turn, ...change(turn) } : turn)),
    }))
  try {
    for await (const { event, data } of client.queryStream({ question, scope }, { signal: own.signal })) {
      if (event === "sources") patch(() => ({ sources: data.sources, state: "writing" }))
      else if (event === "delta") patch((turn) => ({ answer: turn.answer + data.text }))
      else
        patch(() => ({
          answer: data.answer,
          citations: data.citations,
          state: "done",
          by: data.model ?? data.provider,
        }))
    }
  } catch (error) {
    if (own.signal.aborted) patch(() => ({ state: "stopped" }))
    else patch(() => ({ state: "failed", error: errorMessage(error) }))
  } finally {
    if (running === own) running = null
    persist()
  }
}
