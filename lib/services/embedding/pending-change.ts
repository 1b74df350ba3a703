import type { Choice, EmbedderChange } from "../../domain/installation.ts"
import type { Store } from "../../storage/stores/ports/store.ts"

/** How many texts of a change have vectors of the new model. */
export type ChangeProgress = { readonly done: number; readonly total: number }

const findPending = (choices: readonly Choice[]): Choice | null =>
  choices.find(({ kind }) => kind === "next_embedder") ?? null

/** Returns the change of the embedder that has been asked for and is not finished, or null. */
export const getPendingChange = async ({ installation }: Pick<Store, "installation">): Promise<Choice | null> =>
  findPending(await installation.listChoices())

/** Returns the reason that a pending change is stored with: how far it is. A failed one is stored with its error. */
export const formatChangeProgress = ({ done, total }: ChangeProgress): string =>
  `${done} of ${total} texts are embedded`

const PROGRESS = /^(\d+) of (\d+) texts are embedded$/

/** Describes a change of the embedder that is in progress, or returns null. */
export const describePendingChange = (choices: readonly Choice[]): EmbedderChange | null => {
  const next = findPending(choices)
  if (!next) return null
  const [, done, total] = PROGRESS.exec(next.reason) ?? []
  return done === undefined
    ? { value: next.value, done: 0, total: 0, problem: next.reason }
    : { value: next.value, done: Number(done), total: Number(total) }
}

/** Adds a change of the embedder that is in progress to the reason of the current choice. */
export const withPendingChange = (reason: string, choices: readonly Choice[]): string => {
  const next = findPending(choices)
  return next ? `${reason}; changing to ${next.value}: ${next.reason}` : reason
}
