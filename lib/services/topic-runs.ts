import type { TopicRun, TopicRunList } from "../contracts/topic-runs.ts"
import { AppError } from "../errors.ts"
import type { Deps } from "./deps.ts"
import { type ClipRef, unknownClip } from "./get-clip.ts"
import { requireStore } from "./require.ts"

/** The runs that are kept of a clip, newest first. @throws AppError `not_found` */
export const listTopicRuns = async (deps: Deps, { id }: ClipRef): Promise<TopicRunList> => {
  const runs = await requireStore(deps).listTopicRuns(id)
  if (runs === null) throw unknownClip(id)
  return { runs }
}

/** A run of this clip with its tree. @throws AppError `not_found` */
export const getTopicRun = async (deps: Deps, { id, run }: ClipRef & { run: string }): Promise<TopicRun> => {
  const found = await requireStore(deps).getTopicRun(run)
  if (found?.clip_id !== id) throw new AppError("not_found", `unknown run '${run}' of clip '${id}'`)
  return found
}
