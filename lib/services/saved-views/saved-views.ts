import { AppError } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import type { SavedView, SavedViewPatch, SavedViewRequest } from "../../domain/saved-views.ts"
import { type Deps, requireStore } from "../deps.ts"

type ViewDeps = Pick<Deps, "store" | "groups">
type ViewRef = { readonly id: string }

const unknownView = (id: string): AppError => new AppError("not_found", `unknown view '${id}'`)

/** Lists the saved views by name. */
export const listSavedViews = async (deps: ViewDeps): Promise<{ views: SavedView[] }> => ({
  views: await requireStore(deps).savedViews.list(),
})

/** Saves a view. @throws AppError `conflict` if another one has the name, or if there are too many */
export const createSavedView = (deps: ViewDeps, request: SavedViewRequest): Promise<SavedView> =>
  requireStore(deps).savedViews.create({ id: newId(), ...request })

/** @throws AppError `not_found`, `conflict` if another view has the name */
export const updateSavedView = async (deps: ViewDeps, { id }: ViewRef, patch: SavedViewPatch): Promise<SavedView> => {
  const view = await requireStore(deps).savedViews.update(id, patch)
  if (view === null) throw unknownView(id)
  return view
}

/** @throws AppError `not_found` */
export const deleteSavedView = async (deps: ViewDeps, { id }: ViewRef): Promise<void> => {
  if (!(await requireStore(deps).savedViews.delete(id))) throw unknownView(id)
}
