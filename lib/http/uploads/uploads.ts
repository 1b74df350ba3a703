import type { JobSubmitResponse } from "../../api/jobs.ts"
import type { DocumentEntry } from "../../domain/documents.ts"
import { AppError } from "../../domain/errors.ts"
import { audioJobRequest } from "../../domain/jobs/jobs.ts"
import { detectContainer } from "../../platform/files/detect-format.ts"
import { addDocument, checkDocumentHead } from "../../services/documents/add-document.ts"
import { type Submission, submitJob } from "../../services/jobs/submit-job.ts"
import { recordingKey } from "../../storage/blobs/keys.ts"
import { getMediaType, readJsonBytes } from "../body.ts"
import type { HttpDeps } from "../container.ts"
import type { Received } from "../route.ts"
import { noteWarnings } from "../warnings.ts"
import type { ParsedJob } from "./job-body.ts"
import { type FormReader, type FormRules, invalid, readForm } from "./multipart-form.ts"

/** The source of an upload is the upload; a `source` beside it is accepted and ignored. */
const RECORDING_FORM: FormRules = {
  fields: Object.keys(audioJobRequest.shape),
  longFields: ["transcription"],
  checkFile: (name, head) => {
    detectContainer(head, name)
  },
}

const DOCUMENT_FORM: FormRules = { fields: [], checkFile: checkDocumentHead }

const isForm = (request: Request): boolean => getMediaType(request.headers) === "multipart/form-data"

type ReceivedJob = ParsedJob & Pick<Submission, "upload">

/** A submission whose recording, if it has one, is not stored under its hash yet. Call either `keep` or `discard`. */
export type ReceivedSubmission = {
  readonly job: ReceivedJob
  readonly keep: () => Promise<unknown>
  readonly discard: () => Promise<void>
}

const withoutFile = (job: ParsedJob): ReceivedSubmission => {
  const nothing = async () => undefined
  return { job, keep: nothing, discard: nothing }
}

/**
 * Receives a form with a recording. After an error nothing of it remains. A form with a transcript and a source needs no
 * recording.
 * @throws AppError `invalid`, `too_large`, `unsupported_media`, `storage_full` or `bad_request`
 */
export const receiveRecording = async (
  { parseJob, ...reader }: FormReader & Pick<HttpDeps, "parseJob">,
  request: Request,
): Promise<ReceivedSubmission> => {
  const { fields, file } = await readForm(request, reader, RECORDING_FORM)
  if (!file) {
    if (!fields.get("transcription")) throw invalid("file: missing; send the recording in this field")
    return withoutFile(await parseJob({ fields }))
  }
  const { incoming, name } = file
  const { sha256, discard } = incoming
  try {
    if (incoming.bytes === 0) throw invalid("file: the recording is empty (0 bytes)")
    const job = await parseJob({ fields, source: "upload" })
    const key = recordingKey(sha256, name)
    const upload = { path: reader.blobs.addressOf(key), name, sha256 }
    return { job: { ...job, upload }, keep: () => incoming.keep(key), discard }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Reads the submission of a job: JSON with a source, or a form with a recording and the same fields as text. */
const readSubmission = async (deps: HttpDeps, request: Request): Promise<ReceivedSubmission> => {
  if (isForm(request)) return receiveRecording(deps, request)
  const job = await deps.parseJob({ json: await readJsonBytes(request, deps.config.http.maxJsonBytes) })
  noteWarnings(request, job.warnings)
  return withoutFile(job)
}

/** Receives the submission of a job. @throws AppError */
export const receiveJob = async (deps: HttpDeps, request: Request): Promise<Received<JobSubmitResponse>> => {
  const { job, keep, discard } = await readSubmission(deps, request)
  const { upload, transcript, request: options, isLanguageGiven } = job
  return {
    identity: {
      options,
      isLanguageGiven,
      transcript: transcript?.sha256,
      upload: upload && [upload.sha256, upload.name],
    },
    run: async (operationId) => {
      await keep().catch(async (error: unknown) => {
        await discard()
        throw error
      })
      return submitJob(deps, job, operationId)
    },
    discard,
  }
}

/** Receives a form with a document, which is then stored and ingested. @throws AppError */
export const receiveDocument = async (
  deps: HttpDeps,
  { request, signal }: { readonly request: Request; readonly signal: AbortSignal },
): Promise<Received<DocumentEntry>> => {
  if (!isForm(request))
    throw new AppError("unsupported_media", "Send the document as multipart/form-data, in the field 'file'.")
  const { file } = await readForm(request, deps, DOCUMENT_FORM)
  if (!file) throw invalid("file: missing; send the document in this field")
  return {
    identity: [file.incoming.sha256, file.name],
    run: () => addDocument(deps, file, signal),
    discard: () => file.incoming.discard(),
  }
}
