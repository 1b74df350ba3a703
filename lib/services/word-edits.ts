import type { WordEdits, WordEditsRequest } from "../contracts/word-edits.ts"
import { AppError } from "../errors.ts"
import type { Deps } from "./deps.ts"
import { type ClipRef, unknownClip } from "./get-clip.ts"
import { requireStore } from "./require.ts"

/** What people corrected in a clip's transcript, in order. @throws AppError `not_found` */
export const listWordEdits = async (deps: Deps, { id }: ClipRef): Promise<WordEdits> => {
  const edits = await requireStore(deps).wordEdits(id)
  if (edits === null) throw unknownClip(id)
  return { edits }
}

/** Corrects words and who said them; exports, search and later runs get what was corrected. @throws AppError `not_found` */
export const editWords = async (deps: Deps, { id }: ClipRef, { edits }: WordEditsRequest): Promise<WordEdits> => {
  const stored = await requireStore(deps).editWords(id, edits)
  if (stored === null) throw unknownClip(id)
  return { edits: stored }
}

/** Takes one correction back: what stands there is again what was heard, with the others applied. @throws AppError `not_found` */
export const dropWordEdit = async (deps: Deps, { id, edit_id }: { id: string; edit_id: number }): Promise<void> => {
  if (!(await requireStore(deps).dropWordEdit(id, edit_id)))
    throw new AppError("not_found", `clip '${id}' has no correction ${edit_id}`)
}
