import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy"
import { AppError } from "../../domain/errors.ts"
import type { Config } from "../../platform/config/config.ts"
import { checkHead } from "../../storage/blobs/bytes.ts"
import type { BlobStore, IncomingBlob } from "../../storage/blobs/types.ts"
import { readChunks } from "../body.ts"
import { decodeFileName, sanitizeFileName } from "./file-name.ts"

const MAX_FIELD_BYTES = 64 * 1024
/** Parts beyond this are not even looked at. No form has as many fields. */
const MAX_PARTS = 100
const MAX_HEADERS_PER_PART = 50
const MAX_SHOWN_NAME_CHARS = 100

export type FormReader = { readonly config: Config; readonly blobs: Pick<BlobStore, "receive" | "addressOf"> }

/** What a form may contain besides the file. */
export type FormRules = {
  readonly fields: readonly string[]
  /** The fields whose text may be as long as a JSON body, and may be sent as a text file. Others have at most 64 kB. */
  readonly longFields?: readonly string[]
  /** Called with the name and the first bytes of the file, up to 4096, before the rest is read. @throws AppError */
  readonly checkFile: (name: string, head: Uint8Array) => void
}

export type Form = {
  readonly fields: ReadonlyMap<string, string>
  /** The file of the field `file`, if there is one. The caller must keep or discard it. */
  readonly file: { readonly incoming: IncomingBlob; readonly name: string } | undefined
}

type Parts = {
  readonly fields: Map<string, string>
  file:
    | { readonly stream: BusboyFileStream; readonly incoming: Promise<IncomingBlob>; readonly name: string }
    | undefined
}

export const invalid = (message: string): AppError => new AppError("invalid", message)

const createParser = (request: Request): BusboyInstance => {
  try {
    return new Busboy({
      headers: { "content-type": request.headers.get("content-type") ?? "" },
      // Every part is a stream, so that the name of a field is checked before its text is buffered.
      isPartAFile: () => true,
      preservePath: true,
      limits: { parts: MAX_PARTS, headerPairs: MAX_HEADERS_PER_PART },
    })
  } catch (cause) {
    throw new AppError("bad_request", "The Content-Type of the form has no boundary.", { cause })
  }
}

type Fail = (error: unknown) => void
type Part = { readonly field: string | undefined; readonly fileName: string | undefined; readonly isFile: boolean }

const invalidForm = (message: string): AppError => new AppError("bad_request", message)

/** Returns the error of a part that the form must not have, or null. */
const checkPart = ({ field, fileName, isFile }: Part, seen: ReadonlySet<string>, rules: FormRules): AppError | null => {
  if (field === undefined) return invalidForm("A part of the form has no name.")
  const shown = field.slice(0, MAX_SHOWN_NAME_CHARS)
  if (isFile) {
    if (field !== "file")
      return invalid(`${shown}: a file is accepted in ${formatNames(["file", ...(rules.longFields ?? [])])} only`)
    if (seen.has("file")) return invalid("file: one file per request; send several requests instead")
    return /\p{Cc}/u.test(fileName ?? "") ? invalidForm("file: the name contains control characters") : null
  }
  if (!rules.fields.includes(field))
    return invalid(`${shown}: unknown field. The form may have the fields ${[...rules.fields, "file"].join(", ")}`)
  return seen.has(field) ? invalid(`${field}: given twice, expected once`) : null
}

/** Returns a function that reads the text of fields into a map, within the limits of their bytes. */
const createFieldReader = (
  fields: Map<string, string>,
  { config, rules, fail }: { readonly config: Config; readonly rules: FormRules; readonly fail: Fail },
) => {
  const maxTotalBytes = config.http.maxJsonBytes
  let totalBytes = 0
  return (name: string, stream: BusboyFileStream): void => {
    const maxBytes = rules.longFields?.includes(name) ? maxTotalBytes : MAX_FIELD_BYTES
    const chunks: Uint8Array[] = []
    let bytes = 0
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength
      totalBytes += chunk.byteLength
      if (bytes > maxBytes)
        fail(new AppError("too_large", `${name}: larger than ${formatSize(maxBytes)}, the limit of this field`))
      else if (totalBytes > maxTotalBytes)
        fail(new AppError("too_large", `The fields of the form are larger than ${formatSize(maxTotalBytes)} together.`))
      else chunks.push(chunk)
    })
    stream.on("end", () => {
      try {
        fields.set(name, new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)))
      } catch (cause) {
        fail(new AppError("bad_request", `${name}: not valid UTF-8`, { cause }))
      }
    })
  }
}

const formatNames = (names: readonly string[]): string =>
  `the field${names.length > 1 ? "s" : ""} ${names.map((name) => `'${name}'`).join(" and ")}`

const formatSize = (bytes: number): string => (bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MB` : `${bytes / 1024} kB`)

/**
 * Collects the parts of a form: text fields in a map, the file in a temporary file.
 * @param fail is called with each error; the first one counts
 */
const collectParts = (
  request: Request,
  { config, blobs }: FormReader,
  { rules, fail, hasFailed }: { readonly rules: FormRules; readonly fail: Fail; readonly hasFailed: () => boolean },
) => {
  const parts: Parts = { fields: new Map(), file: undefined }
  const parser = createParser(request)
  const seen = new Set<string>()
  const readField = createFieldReader(parts.fields, { config, rules, fail })
  const receiveFile = (stream: BusboyFileStream, fileName: string | undefined): void => {
    const name = sanitizeFileName(decodeFileName(fileName))
    const source = checkHead(stream, (head) => rules.checkFile(name, head))
    const incoming = blobs.receive(source, { maxBytes: config.http.maxUploadBytes })
    incoming.catch(fail)
    parts.file = { stream, incoming, name }
  }
  parser.on("file", (field: string | undefined, stream, fileName: string | undefined, _encoding, type) => {
    // The stream of an incomplete part fails together with the parser, which reports the error.
    stream.on("error", () => undefined)
    const hasFile = fileName !== undefined || type === "application/octet-stream"
    const part = { field, fileName, isFile: hasFile && !rules.longFields?.includes(field ?? "") }
    const error = checkPart(part, seen, rules)
    if (hasFailed() || field === undefined || error !== null) {
      stream.resume()
      fail(error)
      return
    }
    seen.add(field)
    if (part.isFile) receiveFile(stream, fileName)
    else readField(field, stream)
  })
  parser.on("partsLimit", () => fail(invalid(`the form: more than ${MAX_PARTS} parts`)))
  parser.on("error", (cause) =>
    fail(new AppError("bad_request", "The form is incomplete or not valid multipart/form-data.", { cause })),
  )
  return { parts, parser }
}

/**
 * Reads a form with at most one file to its end or its first error, not faster than the file can be stored. The file is
 * checked and hashed while it arrives, and only a few chunks of it are in memory. Fields that the rules do not name are
 * rejected before their text is read. After an error nothing of the file remains.
 * @throws AppError `invalid`, `too_large`, `storage_full` or `bad_request`; the errors of `checkFile`
 */
export const readForm = async (request: Request, reader: FormReader, rules: FormRules): Promise<Form> => {
  let failure: { readonly error: unknown } | undefined
  let signalFailure: () => void = () => undefined
  const failed = new Promise<void>((resolve) => {
    signalFailure = resolve
  })
  const fail = (error: unknown) => {
    failure ??= { error }
    signalFailure()
  }
  const { parts, parser } = collectParts(request, reader, { rules, fail, hasFailed: () => failure !== undefined })
  // After a failure nobody reads the file, so the parser would never emit "drain" or "finish".
  const waitFor = (event: "drain" | "finish") =>
    Promise.race([failed, new Promise<void>((resolve) => parser.once(event, () => resolve()))])
  try {
    for await (const chunk of readChunks(request.body)) {
      if (!parser.write(chunk)) await waitFor("drain")
      if (failure) break
    }
    if (!failure) {
      const finished = waitFor("finish")
      parser.end()
      await finished
      await parts.file?.incoming
    }
  } catch (error) {
    fail(error)
  }
  const { fields, file } = parts
  if (!failure) {
    return {
      fields,
      file: file && { incoming: await file.incoming, name: file.name },
    }
  }
  parser.destroy()
  file?.stream.destroy(new Error("the form failed"))
  await file?.incoming.then(
    (incoming) => incoming.discard(),
    () => undefined,
  )
  throw failure.error
}
