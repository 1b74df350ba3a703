import { createHash } from "node:crypto"
import { AppError } from "../../../domain/errors.ts"
import { detectContainer } from "../../../platform/files/detect-format.ts"
import { checkHead, HEAD_BYTES } from "../../../storage/blobs/bytes.ts"
import type { IncomingBlob } from "../../../storage/blobs/types.ts"
import type { ResumableUpload } from "../../../storage/stores/ports/resumable-uploads.ts"
import { type Deps, requireStore } from "../../deps.ts"
import { type BodyParts, splitBody } from "./body-parts.ts"
import { finishUpload } from "./finish-upload.ts"
import { newPartKey } from "./parts.ts"
import { getUpload, lifetimeOf, removeUpload } from "./resumable-uploads.ts"

/** A process that dies loses at most this much of what it has received. */
const MAX_PART_BYTES = 16 * 2 ** 20

export const CHECKSUM_ALGORITHMS = ["sha1", "sha256", "md5"] as const
/** The digest of the body of one request. */
export type Checksum = { readonly algorithm: (typeof CHECKSUM_ALGORITHMS)[number]; readonly digest: Buffer }

export type Append = {
  readonly start: number
  readonly body: AsyncIterable<Uint8Array>
  /** If it does not match, nothing of the body is stored. */
  readonly checksum?: Checksum | undefined
}

type Part = { readonly start: number; readonly incoming: IncomingBlob }

/** The requests of this process that are receiving a part. A new request for the same upload ends the older one. */
const receiving = new Map<string, { readonly stop: () => void; readonly ended: Promise<unknown> }>()

/** Ends a request that still receives a part of an upload, such as one whose connection is lost, and stores what it has. */
export const stopReceiving = async (id: string): Promise<void> => {
  const current = receiving.get(id)
  current?.stop()
  await current?.ended
}

const wrongOffset = ({ id, offset }: ResumableUpload, start: number): AppError =>
  new AppError("conflict", `Upload-Offset: upload '${id}' continues at byte ${offset}, not ${start}`)

const discardAll = async (parts: readonly Part[]): Promise<void> => {
  for (const { incoming } of parts) await incoming.discard()
}

/** Stores one part and records it. @throws AppError `conflict` if another request has stored it meanwhile */
const commit = async (deps: Deps, { id }: ResumableUpload, { start, incoming }: Part): Promise<ResumableUpload> => {
  const { resumableUploads } = requireStore(deps)
  const key = newPartKey(id)
  await incoming.keep(key)
  const added = await resumableUploads.addPart(id, { start, bytes: incoming.bytes, key }, lifetimeOf(deps))
  if (added) return added
  await deps.blobs.remove(key)
  throw wrongOffset(await getUpload(deps, { id }), start)
}

const tooLong = (size: number): AppError =>
  new AppError("too_large", `The body goes beyond Upload-Length, which is ${size} bytes.`)

/** Receives the next part of a body. The first bytes of a recording are checked as soon as there are enough of them. */
const receivePart = async ({ blobs }: Deps, { size, name }: ResumableUpload, start: number, body: BodyParts) => {
  const maxBytes = Math.min(MAX_PART_BYTES, size - start)
  const check = (head: Uint8Array) => {
    if (head.byteLength === HEAD_BYTES || head.byteLength === size) detectContainer(head, name)
  }
  const chunks = body.take(maxBytes)
  const incoming = await blobs.receive(start === 0 ? checkHead(chunks, check) : chunks, { maxBytes })
  if (start + incoming.bytes < size || (await body.isAtEnd())) return { start, incoming }
  await incoming.discard()
  throw tooLong(size)
}

/** Yields the parts of a body while it arrives. */
async function* receiveParts(
  deps: Deps,
  upload: ResumableUpload,
  start: number,
  body: BodyParts,
): AsyncGenerator<Part> {
  for (let offset = start; offset < upload.size && !(await body.isAtEnd()); ) {
    const part = await receivePart(deps, upload, offset, body)
    offset += part.incoming.bytes
    yield part
  }
}

async function* hashChunks(body: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of body) {
    hash.update(chunk)
    yield chunk
  }
}

const receiveUnchecked = async (deps: Deps, upload: ResumableUpload, start: number, body: BodyParts) => {
  let current = upload
  for await (const part of receiveParts(deps, upload, start, body)) current = await commit(deps, upload, part)
  return current
}

/** Stores a body only if it is complete and has the right digest. */
const receiveChecked = async (
  deps: Deps,
  upload: ResumableUpload,
  { start, body: raw, checksum: { algorithm, digest } }: Append & { readonly checksum: Checksum },
  stopped: Promise<void>,
): Promise<ResumableUpload> => {
  const hash = createHash(algorithm)
  const body = splitBody(hashChunks(raw, hash), stopped)
  const parts: Part[] = []
  try {
    for await (const part of receiveParts(deps, upload, start, body)) parts.push(part)
    const failure = body.failure()
    if (failure) throw failure.error
    if (!hash.digest().equals(digest))
      throw new AppError("checksum_mismatch", "The body does not match its Upload-Checksum. Send the part again.")
  } catch (error) {
    await discardAll(parts)
    throw error
  }
  let current = upload
  for (const [i, part] of parts.entries())
    current = await commit(deps, upload, part).catch(async (error: unknown) => {
      await discardAll(parts.slice(i + 1))
      throw error
    })
  return current
}

const receive = async (deps: Deps, upload: ResumableUpload, append: Append, stopped: Promise<void>) => {
  const { start, checksum } = append
  if (upload.offset !== start) throw wrongOffset(upload, start)
  try {
    if (checksum) return await receiveChecked(deps, upload, { ...append, checksum }, stopped)
    const body = splitBody(append.body, stopped)
    const received = await receiveUnchecked(deps, upload, start, body)
    const failure = body.failure()
    if (failure && received.offset < received.size) throw failure.error
    return received
  } catch (error) {
    if (AppError.is(error) && error.code === "unsupported_media") await removeUpload(deps, upload)
    throw error
  }
}

/**
 * Appends a body to an upload and joins its parts after the last one. If the connection breaks, what has arrived is kept.
 * @throws AppError `not_found`, `conflict` for another offset than the upload's, `too_large` beyond its size,
 * `checksum_mismatch`, `unsupported_media` for the first bytes of something else than a recording, after which the upload is
 * gone; `storage_full`, `bad_request` if the connection breaks
 */
export const appendToUpload = async (
  deps: Deps,
  { id }: { readonly id: string },
  append: Append,
): Promise<ResumableUpload> => {
  await stopReceiving(id)
  const upload = await getUpload(deps, { id })
  let stop: () => void = () => undefined
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const result = receive(deps, upload, append, stopped)
  const current = { stop, ended: result.catch(() => undefined) }
  receiving.set(id, current)
  try {
    const received = await result
    return received.offset === received.size ? await finishUpload(deps, received) : received
  } finally {
    if (receiving.get(id) === current) receiving.delete(id)
  }
}
