import type { JobSubmitResponse } from "../../api/jobs.ts"
import type { DocumentEntry } from "../../domain/documents.ts"
import { AppError } from "../../domain/errors.ts"
import { audioJobRequest } from "../../domain/jobs/jobs.ts"
import { parseInput } from "../../domain/parse-input.ts"
import { isDecimal } from "../../domain/schemas.ts"
import { detectContainer } from "../../platform/files/detect-format.ts"
import { addDocument, checkDocumentHead } from "../../services/documents/add-document.ts"
import { type Submission, submitJob } from "../../services/jobs/submit-job.ts"
import { recordingKey } from "../../storage/blobs/keys.ts"
import { getMediaType, readJson } from "../body.ts"
import type { HttpDeps } from "../container.ts"
import { fieldTypes } from "../field-types.ts"
import type { Received } from "../route.ts"
import { noteUnknownFields } from "../warnings.ts"
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

/** Converts the text of a form field to the type that the schema gives the field. Text that does not fit stays text. */
const parseField = (name: string, text: string): unknown => {
  const types = fieldTypes(audioJobRequest).get(name) ?? []
  if (text === "null" && types.includes("null")) return null
  if (types.includes("string")) return text
  if (types.includes("boolean")) return ({ true: true, false: false } as Record<string, boolean>)[text] ?? text
  return isDecimal(text) ? Number(text) : text
}

/** An empty field counts as not given, except for the language, where it means detection. */
const isGiven = (name: string, text: string): boolean => text !== "" || name === "language"

/** Converts the fields of a form to the types of the JSON body. */
const parseFields = (fields: ReadonlyMap<string, string>): Record<string, unknown> => {
  const given = [...fields].filter(([name, text]) => isGiven(name, text))
  return Object.fromEntries(given.map(([name, text]) => [name, parseField(name, text)]))
}

/** A submission whose recording, if it has one, is not stored under its hash yet. Call either `keep` or `discard`. */
export type ReceivedSubmission = {
  readonly submission: Submission
  readonly keep: () => Promise<unknown>
  readonly discard: () => Promise<void>
}

const withoutFile = (submission: Submission): ReceivedSubmission => {
  const nothing = async () => undefined
  return { submission, keep: nothing, discard: nothing }
}

/**
 * Receives a form with a recording. After an error nothing of it remains. A form with a transcript and a source needs no
 * recording.
 * @throws AppError `invalid`, `too_large`, `unsupported_media`, `storage_full` or `bad_request`
 */
export const receiveRecording = async (reader: FormReader, request: Request): Promise<ReceivedSubmission> => {
  const { fields, file } = await readForm(request, reader, RECORDING_FORM)
  const isLanguageGiven = fields.has("language")
  if (!file) {
    if (!fields.get("transcription")) throw invalid("file: missing; send the recording in this field")
    return withoutFile({ request: parseInput(audioJobRequest, parseFields(fields), "form"), isLanguageGiven })
  }
  const { incoming, name } = file
  const { sha256, discard } = incoming
  try {
    if (incoming.bytes === 0) throw invalid("file: the recording is empty (0 bytes)")
    const body = parseInput(audioJobRequest, { ...parseFields(fields), source: "upload" }, "form")
    const key = recordingKey(sha256, name)
    const upload = { path: reader.blobs.addressOf(key), name, sha256 }
    return { submission: { request: body, isLanguageGiven, upload }, keep: () => incoming.keep(key), discard }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Reads the submission of a job: JSON with a source, or a form with a recording and the same fields as text. */
const readSubmission = async (deps: HttpDeps, request: Request): Promise<ReceivedSubmission> => {
  if (isForm(request)) return receiveRecording(deps, request)
  const body = await readJson(request, deps.config.http.maxJsonBytes)
  noteUnknownFields(request, body, { schema: audioJobRequest, kind: "field" })
  const job = parseInput(audioJobRequest, body, "body")
  return withoutFile({ request: job, isLanguageGiven: Object.hasOwn(Object(body), "language") })
}

/** Receives the submission of a job. @throws AppError */
export const receiveJob = async (deps: HttpDeps, request: Request): Promise<Received<JobSubmitResponse>> => {
  const { submission, keep, discard } = await readSubmission(deps, request)
  const { upload } = submission
  return {
    identity: { ...submission, upload: upload && [upload.sha256, upload.name] },
    run: async (operationId) => {
      await keep().catch(async (error: unknown) => {
        await discard()
        throw error
      })
      return submitJob(deps, submission, operationId)
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
