import type { Clip } from "../../domain/clips.ts"
import { AppError } from "../../domain/errors.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"

export type ClipRef = { readonly id: string }

export const unknownClip = (id: string): AppError => new AppError("not_found", `unknown clip '${id}'`)

/** @throws AppError `not_found` */
export const getClip = async (deps: Deps, { id }: ClipRef): Promise<Clip> => {
  const clip = await requireStore(deps).clips.get(id)
  if (clip === null) throw unknownClip(id)
  return clip
}
