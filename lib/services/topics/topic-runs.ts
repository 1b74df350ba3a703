import type { JobSubmitResponse } from "../../api/jobs.ts"
import type { TopicDiffQuery, TopicRunList } from "../../api/topics.ts"
import type { Clip } from "../../domain/clips.ts"
import { AppError } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import { jobOptions, type TopicSettings } from "../../domain/jobs/jobs.ts"
import type { SourceRef } from "../../domain/jobs/source.ts"
import { firstStage, planStages } from "../../domain/jobs/stage-graph.ts"
import { diffTrees, type TopicDiff } from "../../domain/topics/compare-trees.ts"
import type { TopicRun } from "../../domain/topics/topic-runs.ts"
import { requireGroups } from "../../platform/capabilities/registry.ts"
import { type ClipRef, getClip, unknownClip } from "../clips/clips.ts"
import { type Deps, requireStore } from "../deps.ts"
import { getTopics } from "./topic-edits.ts"

/** Returns the stored topic runs of a clip, newest first. @throws AppError `not_found` */
export const listTopicRuns = async (deps: Deps, { id }: ClipRef): Promise<TopicRunList> => {
  const runs = await requireStore(deps).topics.listRuns(id)
  if (runs === null) throw unknownClip(id)
  return { runs }
}

/** Returns a topic run of a clip with its tree. @throws AppError `not_found` */
export const getTopicRun = async (deps: Deps, { id, run }: ClipRef & { run: string }): Promise<TopicRun> => {
  const found = await requireStore(deps).topics.getRun(run)
  if (found?.clip_id !== id) throw new AppError("not_found", `unknown run '${run}' of clip '${id}'`)
  return found
}

/** Compares two topic runs of a clip. `shown` stands for its current topics, edits included. @throws AppError `not_found` */
export const diffTopicRuns = async (
  deps: Deps,
  { id }: ClipRef,
  { a, b, tolerance_s }: TopicDiffQuery,
): Promise<TopicDiff> => {
  const loadTree = async (run: string) =>
    run === "shown" ? (await getTopics(deps, { id })).tree : (await getTopicRun(deps, { id, run })).tree
  return diffTrees(await loadTree(a), await loadTree(b), tolerance_s)
}

/**
 * Submits a job that finds the topics of a clip again, from its stored transcript. The current tree is stored as a topic
 * run, and the edits are applied to the new tree.
 * @param jobId the ID of the new job. A job that exists is returned as it is
 * @throws AppError `not_found`, `capability_missing`
 */
export const rerunTopics = async (
  deps: Deps,
  { id }: ClipRef,
  settings: TopicSettings,
  jobId: string = newId(),
): Promise<JobSubmitResponse> => {
  requireGroups(deps.groups, ["rag", "broker"])
  const clip = await getClip(deps, { id })
  const record = await requireStore(deps).jobs.submit({
    jobId,
    sessionId: id,
    title: clip.title,
    source: sourceOf(clip),
    options: { ...jobOptions.parse({ language: clip.language }), ...settings, title: clip.title },
    plan: planStages(),
    first: firstStage,
  })
  return { job_id: record.job_id, session_id: record.session_id }
}

/** Returns a source that identifies the clip. It is not read, because the clip has a transcript. */
const sourceOf = ({ id, source_url, file_path }: Clip): SourceRef =>
  file_path === null && source_url !== null ? { kind: "url", url: source_url } : { kind: "file", path: file_path ?? id }
