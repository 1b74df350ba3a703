import type { IfMatch } from "../../../domain/clip-version.ts"
import type {
  Thread,
  ThreadList,
  ThreadPatch,
  ThreadRequest,
  ThreadsQuery,
  ThreadWithTurns,
  Turn,
} from "../../../domain/threads.ts"

export type NewThread = ThreadRequest & { readonly id: string }
export type NewTurn = Omit<Turn, "number" | "created_at">
/** What a follow-up question can refer to. */
export type PastTurn = Pick<Turn, "question" | "rewritten_question" | "answer">

/** Stores conversations. */
export interface ThreadStore {
  /** Creates a thread, or returns the one with this ID. @throws AppError `conflict` if there are too many */
  create(thread: NewThread): Promise<Thread>
  /** Lists threads, the one asked last first. */
  list(query: ThreadsQuery): Promise<ThreadList>
  get(id: string): Promise<ThreadWithTurns | null>
  /** Returns the last answered questions of a thread in their order, or null for an unknown thread. */
  listPast(id: string, limit: number): Promise<PastTurn[] | null>
  /** Returns null for an unknown thread. @throws AppError `precondition_failed` if `ifMatch` names another version */
  update(id: string, patch: ThreadPatch, ifMatch?: IfMatch): Promise<Thread | null>
  /** Returns false for an unknown thread. @throws AppError `precondition_failed` as `update` */
  delete(id: string, ifMatch?: IfMatch): Promise<boolean>
  /**
   * Adds a question with its answer. It replaces the last one if that has the same question and was not answered.
   * Returns its number, or null for an unknown thread. @throws AppError `conflict` if the thread has too many
   */
  addTurn(id: string, turn: NewTurn): Promise<number | null>
}
