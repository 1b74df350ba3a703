import type { Submitted } from "../../api/jobs.ts"
import type { Clip } from "../../domain/clips.ts"
import { newId } from "../../domain/ids.ts"
import { jobOptions, type TopicSettings } from "../../domain/jobs/jobs.ts"
import type { SourceRef } from "../../domain/jobs/source.ts"
import { firstStage, planStages } from "../../domain/jobs/stage-graph.ts"
import { requireGroups } from "../../platform/capabilities/registry.ts"
import { type ClipRef, getClip } from "../clips/get-clip.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"

/** A name of what the clip is of: nothing is read from it, for a clip has its transcript. */
const sourceOf = ({ id, source_url, file_path }: Clip): SourceRef =>
  file_path === null && source_url !== null ? { kind: "url", url: source_url } : { kind: "file", path: file_path ?? id }

/**
 * Makes the topics of a clip anew, from the transcript that it has, as a job: whisper ends at once. The tree that stands
 * until then is kept as a run, and what people wrote over it is laid over the new one.
 * @throws AppError `not_found`, `capability_missing`
 */
export const rerunTopics = async (deps: Deps, { id }: ClipRef, settings: TopicSettings): Promise<Submitted> => {
  requireGroups(deps.groups, ["rag", "broker"])
  const clip = await getClip(deps, { id })
  const record = await requireStore(deps).jobs.submit({
    jobId: newId(),
    sessionId: id,
    title: clip.title,
    source: sourceOf(clip),
    options: { ...jobOptions.parse({ language: clip.language }), ...settings, title: clip.title },
    plan: planStages(),
    first: firstStage,
  })
  return { job_id: record.job_id, session_id: record.session_id }
}
