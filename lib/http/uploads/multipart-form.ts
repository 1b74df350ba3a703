import busboy from "busboy"
import { AppError } from "../../domain/errors.ts"
import type { Config } from "../../platform/config/config.ts"
import type { BlobStore, IncomingBlob } from "../../storage/blobs/types.ts"
import { readChunks } from "../body.ts"

const MAX_FIELDS = 50
const MAX_FIELD_NAME_BYTES = 100
const MAX_HEADERS_PER_PART = 50
const MAX_FILE_NAME_CHARS = 200

export type FormReader = { readonly config: Config; readonly blobs: Pick<BlobStore, "receive" | "addressOf"> }

export type Form = {
  readonly fields: ReadonlyMap<string, string>
  /** The file of the field `file`, if there is one. The caller must keep or discard it. */
  readonly file: { readonly incoming: IncomingBlob; readonly name: string } | undefined
}

type Parts = {
  readonly fields: Map<string, string>
  file: { readonly incoming: Promise<IncomingBlob>; readonly name: string | undefined } | undefined
}

export const invalid = (message: string): AppError => new AppError("invalid", message)

/** Control characters, and those that change the direction of the text after them, which could disguise a name. */
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/**
 * Returns a file name for display: without folders and invisible characters, and never empty. It is not safe as a path
 * and never used as one.
 */
export const sanitizeFileName = (fileName: string | undefined): string => {
  const last = (fileName ?? "").split(/[/\\]/).at(-1) ?? ""
  const visible = last.normalize("NFC").replace(HIDDEN_CHARACTERS, "").trim().slice(0, MAX_FILE_NAME_CHARS)
  return visible === "" || /^\.+$/.test(visible) ? "recording" : visible
}

const ENCODED_CHARACTERS: Readonly<Record<string, string>> = { "%22": '"', "%0A": "\n", "%0D": "\r" }

/** Decodes the three characters that browsers encode in the file name of a form, and no others. */
const decodeFileName = (encoded: string | undefined): string | undefined =>
  encoded?.replace(/%(?:22|0A|0D)/gi, (code) => ENCODED_CHARACTERS[code.toUpperCase()]!)

const createParser = (request: Request, config: Config): busboy.Busboy => {
  try {
    return busboy({
      headers: { "content-type": request.headers.get("content-type") ?? "" },
      limits: {
        files: 1,
        fields: MAX_FIELDS,
        fieldNameSize: MAX_FIELD_NAME_BYTES,
        fieldSize: config.http.maxJsonBytes,
        headerPairs: MAX_HEADERS_PER_PART,
      },
      defParamCharset: "utf8",
    })
  } catch (cause) {
    throw new AppError("bad_request", "The Content-Type of the form has no boundary.", { cause })
  }
}

/**
 * Collects the parts of a form: text fields in a map, the file in a temporary file.
 * @param fail is called with each error; the first one counts
 */
const collectParts = (request: Request, { config, blobs }: FormReader, fail: (error: unknown) => void) => {
  const parts: Parts = { fields: new Map(), file: undefined }
  const parser = createParser(request, config)
  parser.on("field", (name, value, info) => {
    if (info.nameTruncated) fail(invalid(`a field name is longer than ${MAX_FIELD_NAME_BYTES} characters`))
    else if (info.valueTruncated) fail(new AppError("too_large", `${name}: larger than a form field may be`))
    else if (parts.fields.has(name)) fail(invalid(`${name}: given twice, expected once`))
    else parts.fields.set(name, value)
  })
  parser.on("file", (field, stream, info) => {
    // The stream of an incomplete part fails together with the parser, which reports the error.
    stream.on("error", () => undefined)
    if (field !== "file") {
      stream.resume()
      return fail(invalid(`${field.slice(0, 100)}: a file is accepted in the field 'file' only`))
    }
    const incoming = blobs.receive(stream, { maxBytes: config.http.maxUploadBytes })
    incoming.catch(fail)
    parts.file = { incoming, name: decodeFileName(info.filename) }
  })
  parser.on("filesLimit", () => fail(invalid("file: one file per request; send several requests instead")))
  parser.on("fieldsLimit", () => fail(invalid(`the form: more than ${MAX_FIELDS} fields`)))
  parser.on("error", (cause) =>
    fail(new AppError("bad_request", "The form is incomplete or not valid multipart/form-data.", { cause })),
  )
  return { parts, parser }
}

/**
 * Reads a form with at most one file to its end or its first error, not faster than the file can be stored. The file is
 * hashed while it arrives, and only a few chunks of it are in memory. After an error nothing of it remains.
 * @throws AppError `invalid`, `too_large`, `storage_full` or `bad_request`
 */
export const readForm = async (request: Request, reader: FormReader): Promise<Form> => {
  let failure: { readonly error: unknown } | undefined
  let signalFailure: () => void = () => undefined
  const failed = new Promise<void>((resolve) => {
    signalFailure = resolve
  })
  const fail = (error: unknown) => {
    failure ??= { error }
    signalFailure()
  }
  const { parts, parser } = collectParts(request, reader, fail)
  // After a failure nobody reads the file, so the parser would never emit "drain" or "close".
  const waitFor = (event: "drain" | "close") =>
    Promise.race([failed, new Promise<void>((resolve) => parser.once(event, () => resolve()))])
  try {
    for await (const chunk of readChunks(request.body)) {
      if (!parser.write(chunk)) await waitFor("drain")
      if (failure) break
    }
    if (!failure) {
      const closed = waitFor("close")
      parser.end()
      await closed
      await parts.file?.incoming
    }
  } catch (error) {
    fail(error)
  }
  const { fields, file } = parts
  if (!failure) {
    return {
      fields,
      file: file && { incoming: await file.incoming, name: sanitizeFileName(file.name) },
    }
  }
  parser.destroy()
  await file?.incoming.then(
    (incoming) => incoming.discard(),
    () => undefined,
  )
  throw failure.error
}
