import { sha256 } from "../../domain/ids.ts"
import { type AudioJobRequest, audioJobRequest } from "../../domain/jobs/jobs.ts"
import { parseInput } from "../../domain/parse-input.ts"
import { isDecimal } from "../../domain/schemas.ts"
import { type StoredTranscript, serializeTranscript } from "../../domain/transcript/given/stored-transcript.ts"
import { parseJson } from "../body.ts"
import { fieldTypes } from "../field-types.ts"
import { describeUnknownFields } from "../warnings.ts"

/** The body of a submission: JSON in UTF-8, or the text fields of a form. With a recording, `source` stands for it. */
export type JobBody =
  | { readonly json: Uint8Array }
  | { readonly fields: ReadonlyMap<string, string>; readonly source?: string }

export type ParsedJob = {
  readonly request: Omit<AudioJobRequest, "transcription">
  /** The transcript as it is stored, and its hash. */
  readonly transcript: (StoredTranscript & { readonly sha256: string }) | undefined
  readonly isLanguageGiven: boolean
  readonly warnings: readonly string[]
}

/** Converts the text of a form field to the type that the schema gives the field. Text that does not fit stays text. */
const parseField = (name: string, text: string): unknown => {
  const types = fieldTypes(audioJobRequest).get(name) ?? []
  if (text === "null" && types.includes("null")) return null
  if (types.includes("string")) return text
  if (types.includes("boolean")) return ({ true: true, false: false } as Record<string, boolean>)[text] ?? text
  if (types.includes("array")) return parseList(text)
  return isDecimal(text) ? Number(text) : text
}

/** Returns the list that a text contains as JSON, or else the text. */
const parseList = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** An empty field counts as not given, except for the language, where it means detection. */
const isGiven = (name: string, text: string): boolean => text !== "" || name === "language"

/** Converts the fields of a form to the types of the JSON body. */
const parseFields = (fields: ReadonlyMap<string, string>): Record<string, unknown> => {
  const given = [...fields].filter(([name, text]) => isGiven(name, text))
  return Object.fromEntries(given.map(([name, text]) => [name, parseField(name, text)]))
}

/** Parses a submission. @throws AppError `bad_request` or `invalid` */
export const parseJobBody = (given: JobBody): ParsedJob => {
  const isJson = "json" in given
  const body = isJson
    ? parseJson(given.json)
    : { ...parseFields(given.fields), ...(given.source && { source: given.source }) }
  const { transcription, ...request } = parseInput(audioJobRequest, body, isJson ? "body" : "form")
  const json = transcription && serializeTranscript(transcription)
  return {
    request,
    transcript: json === undefined ? undefined : { json, sha256: sha256(json) },
    isLanguageGiven: isJson ? Object.hasOwn(Object(body), "language") : given.fields.has("language"),
    warnings: isJson ? describeUnknownFields(body, { schema: audioJobRequest, kind: "field" }) : [],
  }
}
