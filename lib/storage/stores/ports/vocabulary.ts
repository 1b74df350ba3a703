import type {
  StoredVocabularyEntry,
  VocabularyEntry,
  VocabularyPatch,
  VocabularySuggestion,
} from "../../../domain/vocabulary.ts"

/** Stores the names and terms of the library. */
export interface VocabularyStore {
  /** Lists the entries by term. */
  list(): Promise<StoredVocabularyEntry[]>
  /**
   * Adds an entry. If there is one with the same term in any letter case, adds the phrases to it.
   * @throws AppError `conflict` if there are too many entries or phrases
   */
  add(entry: VocabularyEntry): Promise<StoredVocabularyEntry>
  /** Changes an entry. Returns null for an unknown one. @throws AppError `conflict` if another entry has the term */
  update(id: string, patch: VocabularyPatch): Promise<StoredVocabularyEntry | null>
  /** Returns false for an unknown entry. */
  delete(id: string): Promise<boolean>
  /** Lists what people have corrected in the recordings that they corrected last, the most frequent correction first. */
  suggest(): Promise<VocabularySuggestion[]>
}
