import busboy from "busboy"
import { AppError } from "../../domain/errors.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Submission } from "../../services/jobs/submit-job.ts"
import { recordingKey } from "../../storage/blobs/keys.ts"
import type { BlobStore, IncomingBlob } from "../../storage/blobs/types.ts"
import { chunksOf } from "../body.ts"
import { parseJobForm } from "./form-fields.ts"
import { displayName, nameInForm } from "./upload-name.ts"

const MAX_FIELDS = 50

/** What receiving needs. */
type Receiver = { readonly config: Config; readonly blobs: Pick<BlobStore, "receive" | "addressOf"> }

type Parts = {
  readonly fields: Map<string, string>
  file: { readonly incoming: Promise<IncomingBlob>; readonly name: string | undefined } | undefined
}

const refuse = (message: string): AppError => new AppError("invalid", message)

/** @throws AppError `bad_request` for a content type that the parser cannot start with: no boundary in it */
const openParser = (request: Request, config: Config): busboy.Busboy => {
  try {
    return busboy({
      headers: { "content-type": request.headers.get("content-type") ?? "" },
      limits: {
        files: 1,
        fields: MAX_FIELDS,
        fieldNameSize: 100,
        fieldSize: config.http.maxJsonBytes,
        headerPairs: 50,
      },
      defParamCharset: "utf8",
    })
  } catch (cause) {
    throw new AppError("bad_request", "The form's content type names no boundary.", { cause })
  }
}

/** Wires the parser: text fields into a map, the one file into a temporary file. `fail` takes the first trouble. */
const listen = (request: Request, { config, blobs }: Receiver, fail: (error: unknown) => void) => {
  const parts: Parts = { fields: new Map(), file: undefined }
  const parser = openParser(request, config)
  parser.on("field", (name, value, info) => {
    if (info.nameTruncated) fail(refuse("a field's name is longer than 100 characters"))
    else if (info.valueTruncated) fail(new AppError("too_large", `${name}: larger than a form field may be`))
    else if (parts.fields.has(name)) fail(refuse(`${name}: given twice, once is expected`))
    else parts.fields.set(name, value)
  })
  parser.on("file", (field, stream, info) => {
    // A part whose end never comes breaks its stream as well; what that means is said once, by the parser.
    stream.on("error", () => undefined)
    if (field !== "file") {
      stream.resume()
      return fail(refuse(`${field.slice(0, 100)}: a file is expected in the field 'file' alone`))
    }
    const incoming = blobs.receive(stream, { maxBytes: config.http.maxUploadBytes })
    incoming.catch(fail)
    parts.file = { incoming, name: nameInForm(info.filename) }
  })
  parser.on("filesLimit", () => fail(refuse("file: one recording at a time")))
  parser.on("fieldsLimit", () => fail(refuse(`the form: more than ${MAX_FIELDS} fields`)))
  parser.on("error", (cause) =>
    fail(new AppError("bad_request", "The form is broken off or not well formed.", { cause })),
  )
  return { parts, parser }
}

/** Reads the form to its end or to the first trouble, never faster than the disk takes it. */
const readForm = async (request: Request, receiver: Receiver): Promise<Parts> => {
  let trouble: { readonly error: unknown } | undefined
  let stop: () => void = () => undefined
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const fail = (error: unknown) => {
    trouble ??= { error }
    stop()
  }
  const { parts, parser } = listen(request, receiver, fail)
  // A parser whose file nobody reads any more neither drains nor closes: whoever waits for it waits for trouble too.
  const orTrouble = (event: string) =>
    Promise.race([stopped, new Promise<void>((resolve) => parser.once(event, () => resolve()))])
  try {
    for await (const chunk of chunksOf(request.body)) {
      if (!parser.write(chunk)) await orTrouble("drain")
      if (trouble) break
    }
    if (!trouble) {
      const ended = orTrouble("close")
      parser.end()
      await ended
      await parts.file?.incoming
    }
  } catch (error) {
    fail(error)
  }
  if (!trouble) return parts
  parser.destroy()
  await parts.file?.incoming.then(
    (incoming) => incoming.discard(),
    () => undefined,
  )
  throw trouble.error
}

/**
 * Receives a form with one file of any kind. Whoever calls keeps or discards what came.
 * @throws AppError `invalid`, `too_large`, `storage_full`, `bad_request`
 */
export const receiveFile = async (
  request: Request,
  receiver: Receiver,
): Promise<{ incoming: IncomingBlob; name: string }> => {
  const { file } = await readForm(request, receiver)
  if (!file) throw refuse("file: a document is expected in this field, and it is missing")
  return { incoming: await file.incoming, name: displayName(file.name) }
}

/**
 * Receives a form with one recording as a stream, hashed on the way, with no more of it in memory than a
 * few chunks. Refused or broken off, it leaves nothing behind.
 * @throws AppError `invalid`, `too_large`, `storage_full`, `bad_request`
 */
export const receiveUpload = async (request: Request, receiver: Receiver): Promise<Submission> => {
  const { fields, file } = await readForm(request, receiver)
  if (!file) throw refuse("file: a recording is expected in this field, and it is missing")
  const incoming = await file.incoming
  try {
    if (incoming.bytes === 0) throw refuse("file: the recording is empty (0 bytes)")
    const body = parseJobForm(fields, "upload")
    const name = displayName(file.name)
    const key = recordingKey(incoming.sha256, name)
    await incoming.keep(key)
    return { request: body, upload: { path: receiver.blobs.addressOf(key), name, sha256: incoming.sha256 } }
  } catch (error) {
    await incoming.discard()
    throw error
  }
}
