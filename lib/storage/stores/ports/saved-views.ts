import type { SavedView, SavedViewPatch } from "../../../domain/saved-views.ts"

export type NewSavedView = Pick<SavedView, "id" | "name" | "query">

/** Stores filters of the library under names that differ from each other, not only in capital and small letters. */
export interface SavedViewStore {
  /** Lists the views by name. */
  list(): Promise<SavedView[]>
  /** @throws AppError `conflict` if another view has the name, or if there are too many */
  create(view: NewSavedView): Promise<SavedView>
  /** Returns null for an unknown view. @throws AppError `conflict` if another view has the name */
  update(id: string, patch: SavedViewPatch): Promise<SavedView | null>
  /** Returns false for an unknown view. */
  delete(id: string): Promise<boolean>
}
