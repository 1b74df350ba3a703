import type { Submitted } from "../../api/jobs.ts"
import { MAX_CLIP_TITLE_CHARS } from "../../domain/constants.ts"
import { newId } from "../../domain/ids.ts"
import type { AudioJobRequest } from "../../domain/jobs/jobs.ts"
import { defaultTitle } from "../../domain/jobs/source.ts"
import { firstStage, planStages } from "../../domain/jobs/stage-graph.ts"
import { plainName } from "../../domain/schemas.ts"
import { requireGroups } from "../../platform/capabilities/registry.ts"
import { checkAddress } from "../../sources/guarded-fetch.ts"
import { identify, uploadSessionId } from "../../sources/identity.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"

/** A recording that was kept already; `path` is its address among the blobs, `sha256` is the hex digest of its bytes. */
export type ReceivedFile = { readonly path: string; readonly name: string; readonly sha256: string }
export type Submission = { readonly request: AudioJobRequest; readonly upload?: ReceivedFile }

/**
 * Takes a job: looks at the letters of its source alone and writes everything in one transaction. Whether the
 * recording exists and can be read is the whisper stage's business.
 * @throws AppError `capability_missing`, `invalid` for a source that is none, `forbidden` outside the roots
 */
export const submitJob = async (deps: Deps, { request, upload }: Submission): Promise<Submitted> => {
  requireGroups(deps.groups, ["rag", "broker"])
  const { source, title, transcription, ...options } = request
  const { sessionId, ref } = upload
    ? {
        sessionId: uploadSessionId(upload.sha256),
        ref: { kind: "upload", path: upload.path, name: upload.name } as const,
      }
    : identify(source, { roots: deps.config.roots, cwd: process.cwd() })
  // Named words need no recording: the address then is a name and nothing is fetched from it.
  if (ref.kind === "url" && transcription === undefined) checkAddress(ref.url, deps.config.fetch)
  const name = plainName(title ?? defaultTitle(ref)).slice(0, MAX_CLIP_TITLE_CHARS) || "Untitled"
  const record = await requireStore(deps).jobs.submit({
    jobId: newId(),
    sessionId,
    title: name,
    source: ref,
    options: { ...options, title: name },
    ...(transcription === undefined ? {} : { transcription }),
    plan: planStages(),
    first: firstStage,
    trace: deps.telemetry.current(),
  })
  return { job_id: record.job_id, session_id: record.session_id }
}
