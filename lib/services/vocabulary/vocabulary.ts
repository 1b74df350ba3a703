import type { VocabularyList, VocabularySuggestions } from "../../api/vocabulary.ts"
import { AppError } from "../../domain/errors.ts"
import {
  mergeVocabularies,
  type StoredVocabularyEntry,
  type VocabularyEntry,
  type VocabularyPatch,
} from "../../domain/vocabulary.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { type Deps, requireStore } from "../deps.ts"

/** Lists the names and terms of the library. */
export const listVocabulary = async (deps: Deps): Promise<VocabularyList> => ({
  entries: await requireStore(deps).vocabulary.list(),
})

/** Adds an entry, or phrases to the one with the same term. @throws AppError `conflict` if there are too many */
export const addVocabularyEntry = (deps: Deps, entry: VocabularyEntry): Promise<StoredVocabularyEntry> =>
  requireStore(deps).vocabulary.add(entry)

const unknownEntry = (id: string): AppError => new AppError("not_found", `unknown vocabulary entry '${id}'`)

/** Changes an entry. @throws AppError `not_found`, or `conflict` if another entry has the term */
export const updateVocabularyEntry = async (
  deps: Deps,
  { id }: { readonly id: string },
  patch: VocabularyPatch,
): Promise<StoredVocabularyEntry> => {
  const updated = await requireStore(deps).vocabulary.update(id, patch)
  if (!updated) throw unknownEntry(id)
  return updated
}

/** Removes an entry. @throws AppError `not_found` */
export const deleteVocabularyEntry = async (deps: Deps, { id }: { readonly id: string }): Promise<void> => {
  if (!(await requireStore(deps).vocabulary.delete(id))) throw unknownEntry(id)
}

/** Lists corrections of people that a vocabulary entry would make by itself. */
export const suggestVocabulary = async (deps: Deps): Promise<VocabularySuggestions> => ({
  suggestions: await requireStore(deps).vocabulary.suggest(),
})

/** Adds the vocabulary of the library to the options of a job, whose own entries take precedence. */
export const withVocabulary = async <T extends { readonly vocabulary?: VocabularyEntry[] | undefined }>(
  store: Pick<Store, "vocabulary">,
  options: T,
): Promise<T> => {
  const vocabulary = mergeVocabularies(await store.vocabulary.list(), options.vocabulary ?? [])
  return vocabulary.length > 0 ? { ...options, vocabulary } : options
}
