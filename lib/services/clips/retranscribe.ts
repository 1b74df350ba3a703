import type { JobSubmitResponse } from "../../api/jobs.ts"
import type { Clip } from "../../domain/clips.ts"
import { AppError } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import type { TranscriptionSettings } from "../../domain/jobs/jobs.ts"
import type { SourceRef } from "../../domain/jobs/source.ts"
import { firstStage, planStages } from "../../domain/jobs/stage-graph.ts"
import { requireGroups } from "../../platform/capabilities/registry.ts"
import { checkAddress } from "../../sources/guarded-address.ts"
import { identify } from "../../sources/identity.ts"
import { findBlobKey } from "../../storage/blobs/keys.ts"
import { type Deps, requireStore } from "../deps.ts"
import { withVocabulary } from "../vocabulary/vocabulary.ts"
import { type ClipRef, getClip } from "./clips.ts"

/**
 * Submits a job that transcribes the recording of a clip again, for example with another engine or model, and finds topics
 * in the new transcript. Word edits are reapplied by time, and the previous topics remain as a topic run.
 * @param jobId the ID of the new job. A job that exists is returned as it is
 * @throws AppError `not_found`, `conflict` for a clip without a recording, `capability_missing`
 */
export const retranscribe = async (
  deps: Deps,
  { id }: ClipRef,
  settings: TranscriptionSettings,
  jobId: string = newId(),
): Promise<JobSubmitResponse> => {
  requireGroups(deps.groups, ["rag", "broker"])
  const clip = await getClip(deps, { id })
  const { language = clip.language, ...options } = settings
  const record = await requireStore(deps).jobs.submit({
    jobId,
    sessionId: id,
    title: clip.title,
    source: sourceOf(deps, clip),
    options: {
      ...(await withVocabulary(requireStore(deps), options)),
      language: language || null,
      title: clip.title,
      force_retranscribe: true,
    },
    plan: planStages(),
    first: firstStage,
    trace: deps.telemetry.current(),
  })
  return { job_id: record.job_id, session_id: record.session_id }
}

/**
 * Returns the source of a clip's recording.
 * @throws AppError `conflict` if it has none, `invalid` or `forbidden` for its URL
 */
const sourceOf = ({ blobs, config }: Deps, { id, title, file_path, source_url }: Clip): SourceRef => {
  if (file_path !== null)
    return findBlobKey(blobs, file_path) !== null || file_path.startsWith("s3:")
      ? { kind: "upload", path: file_path, name: title }
      : { kind: "file", path: file_path }
  if (source_url === null)
    throw new AppError("conflict", `clip '${id}' cannot be transcribed again: it has no recording, only a transcript`)
  const { ref } = identify(source_url, { roots: config.roots, cwd: process.cwd() })
  if (ref.kind === "url") checkAddress(ref.url, config.fetch)
  return ref
}
