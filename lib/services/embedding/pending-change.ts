import type { Choice } from "../../domain/installation.ts"
import type { Store } from "../../storage/stores/ports/store.ts"

const findPending = (choices: readonly Choice[]): Choice | null =>
  choices.find(({ kind }) => kind === "next_embedder") ?? null

/** Returns the change of the embedder that has been asked for and is not finished, or null. */
export const getPendingChange = async ({ installation }: Pick<Store, "installation">): Promise<Choice | null> =>
  findPending(await installation.listChoices())

/** Adds a change of the embedder that is in progress to the reason of the current choice. */
export const withPendingChange = (reason: string, choices: readonly Choice[]): string => {
  const next = findPending(choices)
  return next ? `${reason}; changing to ${next.value}: ${next.reason}` : reason
}
