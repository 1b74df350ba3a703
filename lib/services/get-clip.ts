import type { Clip } from "../contracts/clips.ts"
import { AppError } from "../errors.ts"
import type { Deps } from "./deps.ts"
import { requireStore } from "./require.ts"

/** @throws AppError `not_found` */
export const getClip = async (deps: Deps, { id }: { readonly id: string }): Promise<Clip> => {
  const clip = await requireStore(deps).getClip(id)
  if (clip === null) throw new AppError("not_found", `unknown clip '${id}'`)
  return clip
}
