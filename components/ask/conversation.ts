import { create } from "zustand"
import type {
  QueryCitation,
  QueryCounts,
  QueryFilter,
  QueryFound,
  QueryScope,
  QuerySource,
} from "#lib/domain/documents.ts"
import type { ThreadWithTurns } from "#lib/domain/threads.ts"
import { client, errorMessage } from "../api/client.ts"

/** A question and its answer so far. */
export type Turn = {
  readonly id: number
  readonly question: string
  readonly scope: QueryScope
  readonly filter: QueryFilter | null
  /** The whole question that was searched, if the question was a follow-up. */
  readonly rewritten: string | null
  readonly sources: readonly QuerySource[]
  readonly answer: string
  /** Missing until the answer is complete, like those below. */
  readonly citations?: readonly QueryCitation[]
  readonly found?: QueryFound | null
  readonly searched?: QueryCounts
  readonly state: "asking" | "writing" | "done" | "stopped" | "failed"
  readonly error?: string | null
  /** The model or provider that answered. */
  readonly by?: string | null
}

type Conversation = {
  readonly turns: readonly Turn[]
  readonly next: number
  /** The thread that keeps the conversation. Null until the first question, and if it cannot be kept. */
  readonly thread: { readonly id: string; readonly title: string } | null
  /** Why the conversation is not kept, or could not be loaded. */
  readonly problem: string | null
  readonly isLoading: boolean
}

const EMPTY = { turns: [], thread: null, problem: null, isLoading: false } as const

/** The number of sources to answer from. */
const TOP_K = 10
const MAX_TITLE_CHARS = 80

/** The open conversation. It outlives the page, so that the user can open a source and come back. */
export const useConversation = create<Conversation>(() => ({ ...EMPTY, next: 0 }))

export const isRunning = ({ state }: Turn): boolean => state === "asking" || state === "writing"

/** Returns the beginning of a question as the title of its thread. */
export const toThreadTitle = (question: string): string => {
  const line = question.replace(/\s+/g, " ").trim()
  if (line.length <= MAX_TITLE_CHARS) return line
  const cut = line.slice(0, MAX_TITLE_CHARS - 1)
  const end = cut.lastIndexOf(" ")
  return `${cut.slice(0, end > MAX_TITLE_CHARS / 2 ? end : cut.length).trimEnd()}…`
}

/** Returns the turns of a stored thread. */
export const toTurns = ({ turns }: Pick<ThreadWithTurns, "turns">, firstId: number): Turn[] =>
  turns.map(({ rewritten_question, provider, model, number: _, created_at: __, ...turn }, i) => ({
    ...turn,
    id: firstId + i,
    rewritten: rewritten_question,
    by: model ?? provider,
  }))

/** Shows the open thread in the address, so that it can be reloaded and shared. */
const showAddress = (): void => {
  if (window.location.pathname !== "/ask") return
  const { thread } = useConversation.getState()
  window.history.replaceState(null, "", thread ? `/ask?thread=${encodeURIComponent(thread.id)}` : "/ask")
}

let running: AbortController | null = null

export const stopAnswer = (): void => running?.abort()

/** Stops the running answer and shows no conversation. */
export const startNewConversation = (): void => {
  stopAnswer()
  useConversation.setState(EMPTY)
  showAddress()
}

/** Loads a stored conversation, unless it is open already. */
export const openThread = async (id: string): Promise<void> => {
  if (useConversation.getState().thread?.id === id) return showAddress()
  stopAnswer()
  useConversation.setState({ ...EMPTY, thread: { id, title: "" }, isLoading: true })
  showAddress()
  const isOpen = () => useConversation.getState().thread?.id === id
  try {
    const thread = await client.thread(id)
    if (!isOpen()) return
    const { next } = useConversation.getState()
    const turns = toTurns(thread, next)
    useConversation.setState({
      turns,
      next: next + turns.length,
      thread: { id, title: thread.title },
      isLoading: false,
    })
  } catch (error) {
    if (!isOpen()) return
    useConversation.setState({ ...EMPTY, problem: `Couldn't open the conversation: ${errorMessage(error)}` })
    showAddress()
  }
}

/** Replaces an incomplete answer by asking the question again. */
export const retryQuestion = ({ id, question, scope, filter }: Turn): Promise<void> => {
  useConversation.setState(({ turns }) => ({ turns: turns.filter((turn) => turn.id !== id) }))
  return ask(question, scope, filter)
}

/** Returns the thread of the conversation, which the first question starts. Null if it cannot be kept. */
const ensureThread = async (question: string, signal: AbortSignal): Promise<string | null> => {
  const { thread, problem } = useConversation.getState()
  if (thread || problem) return thread?.id ?? null
  try {
    const { id, title } = await client.createThread({ title: toThreadTitle(question) }, { signal })
    if (signal.aborted) return null
    useConversation.setState({ thread: { id, title } })
    showAddress()
    return id
  } catch (error) {
    if (!signal.aborted) useConversation.setState({ problem: `This conversation isn't saved: ${errorMessage(error)}` })
    return null
  }
}

/** Asks a question and streams the answer, also while other pages are open. Stops the previous answer. */
export const ask = async (question: string, scope: QueryScope, filter: QueryFilter | null): Promise<void> => {
  stopAnswer()
  const own = new AbortController()
  running = own
  const id = useConversation.getState().next
  const asked: Turn = { id, question, scope, filter, rewritten: null, sources: [], answer: "", state: "asking" }
  useConversation.setState(({ turns }) => ({ turns: [...turns, asked], next: id + 1 }))
  const patch = (change: (turn: Turn) => Partial<Turn>) =>
    useConversation.setState(({ turns }) => ({
      turns: turns.map((turn) => (turn.id === id ? { ...turn, ...change(turn) } : turn)),
    }))
  try {
    const thread_id = await ensureThread(question, own.signal)
    own.signal.throwIfAborted()
    const request = {
      question,
      scope,
      top_k: TOP_K,
      ...(filter && { filter }),
      ...(thread_id !== null && { thread_id }),
    }
    for await (const { event, data } of client.queryStream(request, { signal: own.signal })) {
      if (event === "sources")
        patch(() => ({
          sources: data.sources,
          rewritten: data.rewritten_question,
          searched: data.searched,
          state: "writing",
        }))
      else if (event === "delta") patch((turn) => ({ answer: turn.answer + data.text }))
      else
        patch(() => ({
          answer: data.answer,
          citations: data.citations,
          found: data.found,
          state: "done",
          by: data.model ?? data.provider,
        }))
    }
  } catch (error) {
    if (own.signal.aborted) patch(() => ({ state: "stopped" }))
    else patch(() => ({ state: "failed", error: errorMessage(error) }))
  } finally {
    if (running === own) running = null
  }
}
