import type { Clip, ClipPatch } from "../contracts/clips.ts"
import type { Deps } from "./deps.ts"
import { type ClipRef, unknownClip } from "./get-clip.ts"
import { requireStore } from "./require.ts"

/** Gives a clip a title or its speakers names; a later run of the pipeline leaves both alone. @throws AppError `not_found` */
export const editClip = async (deps: Deps, { id }: ClipRef, patch: ClipPatch): Promise<Clip> => {
  const clip = await requireStore(deps).editClip(id, patch)
  if (clip === null) throw unknownClip(id)
  return clip
}
