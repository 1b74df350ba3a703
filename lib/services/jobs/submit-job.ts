import type { JobSubmitResponse } from "../../api/jobs.ts"
import { MAX_CLIP_TITLE_CHARS } from "../../domain/constants.ts"
import { AppError } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import type { AudioJobRequest } from "../../domain/jobs/jobs.ts"
import { defaultTitle } from "../../domain/jobs/source.ts"
import { firstStage, planStages } from "../../domain/jobs/stage-graph.ts"
import { cleanName } from "../../domain/schemas.ts"
import type { StoredTranscript } from "../../domain/transcript/given/stored-transcript.ts"
import { requireGroups } from "../../platform/capabilities/registry.ts"
import { checkAddress } from "../../sources/guarded-address.ts"
import { identify, uploadSessionId } from "../../sources/identity.ts"
import { findBlobKey } from "../../storage/blobs/keys.ts"
import { type Deps, requireStore } from "../deps.ts"
import type { ReceivedFile } from "../uploads/received-file.ts"
import { findUploadedFile } from "../uploads/resumable/finish-upload.ts"
import { withUploadLock } from "../uploads/upload-lock.ts"
import { withVocabulary } from "../vocabulary/vocabulary.ts"
import { checkWebhookUrl, newJobWebhook } from "../webhooks/new-webhook.ts"

export type Submission = {
  readonly request: AudioJobRequest
  /** The transcript of the request, if it has been serialized already. */
  readonly transcript?: StoredTranscript | undefined
  /** True if the language is the caller's choice and not the default. */
  readonly isLanguageGiven?: boolean
  readonly upload?: ReceivedFile
}

/**
 * Submits a job in one transaction. Only the syntax of the source is checked here; the whisper stage finds out whether the
 * recording exists and can be read.
 * @param jobId the ID of the new job. A job that exists is returned as it is
 * @throws AppError `capability_missing`, `invalid` for a malformed source, `forbidden` outside the permitted folders
 */
export const submitJob = async (
  deps: Deps,
  { request, transcript, isLanguageGiven = false, upload: received }: Submission,
  jobId: string = newId(),
): Promise<JobSubmitResponse> => {
  requireGroups(deps.groups, ["rag", "broker"])
  const { source, title, transcription: words, webhook_url, webhook_secret, ...options } = request
  const transcription = transcript ?? words
  const hasTranscript = transcription !== undefined
  const upload = received ?? (await findUploadedFile(deps, source, { hasTranscript }))
  const { sessionId, ref } = upload
    ? {
        sessionId: uploadSessionId(upload.sha256),
        ref: { kind: "upload", path: upload.path, name: upload.name } as const,
      }
    : identify(source, {
        roots: deps.config.roots,
        cwd: process.cwd(),
        hasTranscript,
      })
  // If the caller supplies the words, the URL only identifies the recording and is not fetched.
  if (ref.kind === "url" && !hasTranscript) checkAddress(ref.url, deps.config.fetch)
  if (webhook_url !== undefined) checkWebhookUrl(deps, webhook_url)
  const webhook = webhook_url === undefined ? undefined : newJobWebhook(webhook_url, webhook_secret)
  const name = cleanName(title ?? defaultTitle(ref)).slice(0, MAX_CLIP_TITLE_CHARS) || "Untitled"
  const job = {
    jobId,
    sessionId,
    title: name,
    source: ref,
    options: {
      ...(await withVocabulary(requireStore(deps), options)),
      title: name,
      is_language_given: isLanguageGiven,
    },
    ...(transcription === undefined ? {} : { transcription }),
    plan: planStages(),
    first: firstStage,
    webhook,
    trace: deps.telemetry.current(),
  }
  const store = requireStore(deps)
  const submit = () => store.jobs.submit(job)
  const key = upload ? findBlobKey(deps.blobs, upload.path) : null
  const record = key === null ? await submit() : await withUploadLock(store, key, () => submitStored(deps, key, submit))
  const isSecretNew = webhook !== undefined && webhook_secret === undefined
  return {
    job_id: record.job_id,
    session_id: record.session_id,
    ...(isSecretNew && { webhook_secret: webhook.secret }),
  }
}

/** Submits the job of an upload, unless the deletion of a clip of the same recording has removed the upload. */
const submitStored = async <T>({ blobs }: Pick<Deps, "blobs">, key: string, submit: () => Promise<T>): Promise<T> => {
  if ((await blobs.stat(key)) === null)
    throw new AppError("unavailable", "The recording was deleted while it was uploaded. Upload it again.", {
      retry: "retry",
    })
  return submit()
}
