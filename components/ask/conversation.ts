import { create } from "zustand"
import type { QueryCitation, QueryScope, QuerySource } from "#lib/domain/documents.ts"
import { client, errorMessage } from "../api/client.ts"

/** A question and its answer so far. */
export type Turn = {
  readonly id: number
  readonly question: string
  readonly scope: QueryScope
  readonly sources: readonly QuerySource[]
  readonly answer: string
  /** Missing until the answer is complete. */
  readonly citations?: readonly QueryCitation[]
  readonly state: "asking" | "writing" | "done" | "stopped" | "failed"
  readonly error?: string
  /** The model or provider that answered. */
  readonly by?: string
}

type Conversation = { readonly turns: readonly Turn[]; readonly next: number }

const STORAGE_KEY = "earmark.conversation"
/** Session storage is small, so only the last turns are stored. */
const MAX_STORED_TURNS = 40
const EMPTY: Conversation = { turns: [], next: 0 }

/** The conversation of this browser tab. It outlives the page, so that the user can open a source and come back. */
export const useConversation = create<Conversation>(() => EMPTY)

export const isRunning = ({ state }: Turn): boolean => state === "asking" || state === "writing"

const persist = (): void => {
  const { turns, next } = useConversation.getState()
  try {
    if (turns.length === 0) window.sessionStorage.removeItem(STORAGE_KEY)
    else window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ turns: turns.slice(-MAX_STORED_TURNS), next }))
  } catch {
    // Storage is disabled or full: the conversation lasts until the page is reloaded.
  }
}

/** Parses a stored conversation and marks interrupted answers as stopped. Returns null if there is nothing valid. */
export const parseConversation = (kept: string | null): Conversation | null => {
  try {
    const { turns, next } = JSON.parse(kept ?? "") as Conversation
    return { turns: turns.map((turn) => (isRunning(turn) ? { ...turn, state: "stopped" } : turn)), next }
  } catch {
    return null
  }
}

/** Restores the stored conversation of this tab, unless a new one has started. */
export const restoreConversation = (): void => {
  if (useConversation.getState() !== EMPTY) return
  try {
    const kept = parseConversation(window.sessionStorage.getItem(STORAGE_KEY))
    if (kept) useConversation.setState(kept)
  } catch {
    // Storage is disabled.
  }
}

let running: AbortController | null = null

export const stopAnswer = (): void => running?.abort()

/** Stops the running answer and clears the conversation. */
export const startNewConversation = (): void => {
  stopAnswer()
  useConversation.setState(({ next }) => ({ turns: [], next }))
  persist()
}

/** Replaces an incomplete answer by asking the question again. */
export const retryQuestion = ({ id, question, scope }: Turn): Promise<void> => {
  useConversation.setState(({ turns }) => ({ turns: turns.filter((turn) => turn.id !== id) }))
  return ask(question, scope)
}

/** Asks a question and streams the answer, also while other pages are open. Stops the previous answer. */
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
