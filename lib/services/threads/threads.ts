import type { IfMatch } from "../../domain/clip-version.ts"
import { AppError } from "../../domain/errors.ts"
import type {
  Thread,
  ThreadList,
  ThreadPatch,
  ThreadRequest,
  ThreadsQuery,
  ThreadWithTurns,
} from "../../domain/threads.ts"
import { type Deps, requireStore } from "../deps.ts"

type ThreadDeps = Pick<Deps, "store" | "groups">
type ThreadRef = { readonly id: string }

export const unknownThread = (id: string): AppError => new AppError("not_found", `unknown thread '${id}'`)

/** Lists threads, the one asked last first. */
export const listThreads = (deps: ThreadDeps, query: ThreadsQuery): Promise<ThreadList> =>
  requireStore(deps).threads.list(query)

/**
 * Starts a thread.
 * @param id the ID of the operation, so that a repeated request starts one thread
 * @throws AppError `conflict` if there are too many
 */
export const createThread = (deps: ThreadDeps, request: ThreadRequest, id: string): Promise<Thread> =>
  requireStore(deps).threads.create({ ...request, id })

/** Returns a thread with its questions and answers. @throws AppError `not_found` */
export const getThread = async (deps: ThreadDeps, { id }: ThreadRef): Promise<ThreadWithTurns> => {
  const found = await requireStore(deps).threads.get(id)
  if (found === null) throw unknownThread(id)
  return found
}

/** Changes the title of a thread. @throws AppError `not_found`, `precondition_failed` */
export const renameThread = async (
  deps: ThreadDeps,
  { id }: ThreadRef,
  patch: ThreadPatch,
  ifMatch?: IfMatch,
): Promise<Thread> => {
  const changed = await requireStore(deps).threads.update(id, patch, ifMatch)
  if (changed === null) throw unknownThread(id)
  return changed
}

/** Deletes a thread. @throws AppError `not_found`, `precondition_failed` */
export const deleteThread = async (deps: ThreadDeps, { id }: ThreadRef, ifMatch?: IfMatch): Promise<void> => {
  if (!(await requireStore(deps).threads.delete(id, ifMatch))) throw unknownThread(id)
}
