import type { TopicDiffQuery, TopicRunList } from "../../api/topics.ts"
import { AppError } from "../../domain/errors.ts"
import { diffTrees } from "../../domain/topics/diff.ts"
import type { TopicDiff } from "../../domain/topics/diff-schema.ts"
import type { TopicRun } from "../../domain/topics/topic-runs.ts"
import { type ClipRef, unknownClip } from "../clips/get-clip.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"
import { getTopics } from "./topic-edits.ts"

/** The runs that are kept of a clip, newest first. @throws AppError `not_found` */
export const listTopicRuns = async (deps: Deps, { id }: ClipRef): Promise<TopicRunList> => {
  const runs = await requireStore(deps).topics.listRuns(id)
  if (runs === null) throw unknownClip(id)
  return { runs }
}

/** A run of this clip with its tree. @throws AppError `not_found` */
export const getTopicRun = async (deps: Deps, { id, run }: ClipRef & { run: string }): Promise<TopicRun> => {
  const found = await requireStore(deps).topics.getRun(run)
  if (found?.clip_id !== id) throw new AppError("not_found", `unknown run '${run}' of clip '${id}'`)
  return found
}

/** What became of the topics of a clip from one run to another, or to what people see. @throws AppError `not_found` */
export const diffTopicRuns = async (
  deps: Deps,
  { id }: ClipRef,
  { a, b, tolerance_s }: TopicDiffQuery,
): Promise<TopicDiff> => {
  const treeOf = async (side: string) =>
    side === "shown" ? (await getTopics(deps, { id })).tree : (await getTopicRun(deps, { id, run: side })).tree
  return diffTrees(await treeOf(a), await treeOf(b), tolerance_s)
}
