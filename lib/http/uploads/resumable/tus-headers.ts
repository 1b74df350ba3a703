import { UPLOAD_BODY_TYPE } from "../../../api/upload-body-type.ts"
import { AppError } from "../../../domain/errors.ts"
import { CHECKSUM_ALGORITHMS, type Checksum } from "../../../services/uploads/resumable/append-part.ts"
import { getMediaType } from "../../body.ts"
import { sanitizeFileName } from "../file-name.ts"

export const TUS_VERSION = "1.0.0"

/** The headers by which a client learns what the service can do. */
export const tusOptions = (maxBytes: number): Record<string, string> => ({
  "tus-resumable": TUS_VERSION,
  "tus-version": TUS_VERSION,
  "tus-extension": "creation,creation-with-upload,termination,checksum,expiration",
  "tus-checksum-algorithm": CHECKSUM_ALGORITHMS.join(","),
  "tus-max-size": String(maxBytes),
})

const invalid = (name: string, msg: string): AppError =>
  new AppError("invalid", `${name}: ${msg}`, {
    errors: [{ loc: ["header", name.toLowerCase()], msg, type: "invalid_format" }],
  })

/** @throws AppError `precondition_failed` for another version of the protocol */
export const requireTusVersion = ({ headers }: Request): void => {
  const given = headers.get("tus-resumable")
  if (given !== TUS_VERSION)
    throw new AppError(
      "precondition_failed",
      `Tus-Resumable: ${given === null ? "missing" : "not supported"}. Send 'Tus-Resumable: ${TUS_VERSION}'.`,
    )
}

/** Reads a number of bytes. @throws AppError `invalid` */
const readBytes = ({ headers }: Request, name: string): number => {
  const given = headers.get(name)
  if (given === null) throw invalid(name, "missing; send a number of bytes")
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw invalid(name, "must be a number of bytes")
}

export const readUploadOffset = (request: Request): number => readBytes(request, "Upload-Offset")

/** @throws AppError `invalid`, also for an upload whose length is not known yet */
export const readUploadLength = (request: Request): number => {
  if (request.headers.has("upload-defer-length"))
    throw invalid("Upload-Defer-Length", "not supported; send Upload-Length with the size of the file")
  return readBytes(request, "Upload-Length")
}

const MAX_METADATA_CHARS = 4096

/** Reads the name of the file and the metadata as they were sent. @throws AppError `invalid` */
export const readUploadMetadata = ({ headers }: Request): { readonly name: string; readonly metadata: string } => {
  const metadata = headers.get("upload-metadata") ?? ""
  if (metadata.length > MAX_METADATA_CHARS)
    throw invalid("Upload-Metadata", `longer than ${MAX_METADATA_CHARS} characters`)
  const pairs = metadata.split(",").map((pair) => pair.trim().split(/ +/))
  if (
    metadata !== "" &&
    pairs.some(([key, value = "", ...more]) => !key || more.length > 0 || !/^[\w+/]*={0,2}$/.test(value))
  )
    throw invalid("Upload-Metadata", "must be keys with values in Base64, separated by commas")
  const values = new Map(pairs.map(([key, value = ""]) => [key, Buffer.from(value, "base64").toString("utf8")]))
  return { name: sanitizeFileName(values.get("filename") ?? values.get("name")), metadata }
}

/** @throws AppError `invalid` for an unknown algorithm or a digest of the wrong length */
export const readChecksum = ({ headers }: Request): Checksum | undefined => {
  const given = headers.get("upload-checksum")
  if (given === null) return undefined
  const [name, text = ""] = given.split(" ")
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name)
  const digest = Buffer.from(text, "base64")
  const bytes = { sha1: 20, sha256: 32, md5: 16 }
  if (algorithm && digest.byteLength === bytes[algorithm]) return { algorithm, digest }
  throw invalid("Upload-Checksum", `must be ${CHECKSUM_ALGORITHMS.join(", ")} with the digest in Base64`)
}

/** Returns true if the request has a part of a file as its body. @throws AppError `unsupported_media` */
export const hasPart = ({ headers }: Request): boolean => {
  const type = getMediaType(headers)
  if (type === UPLOAD_BODY_TYPE) return true
  const isEmpty = Number(headers.get("content-length") ?? 0) === 0 && !headers.has("transfer-encoding")
  if (isEmpty) return false
  throw new AppError("unsupported_media", `The body must be ${UPLOAD_BODY_TYPE}${type ? `, not ${type}` : ""}.`)
}
