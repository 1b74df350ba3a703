import { AppError } from "../../../domain/errors.ts"
import { detectContainer } from "../../../platform/files/detect-format.ts"
import { checkHead } from "../../../storage/blobs/bytes.ts"
import { recordingKey } from "../../../storage/blobs/keys.ts"
import type { BlobStore } from "../../../storage/blobs/types.ts"
import type { ResumableUpload, UploadPart } from "../../../storage/stores/ports/resumable-uploads.ts"
import { type Deps, requireStore } from "../../deps.ts"
import type { ReceivedFile } from "../received-file.ts"
import { withUploadLock } from "../upload-lock.ts"
import { removeParts } from "./parts.ts"
import { getUpload, removeUpload } from "./resumable-uploads.ts"

async function* readParts(blobs: BlobStore, parts: readonly UploadPart[]): AsyncGenerator<Uint8Array> {
  for (const { key, bytes } of parts) {
    const blob = await blobs.open(key)
    if (blob?.bytes !== bytes)
      throw new AppError("unavailable", "A part of the upload is missing in the storage. Upload the file again.")
    yield* blob.read({ start: 0, end: bytes - 1 })
  }
}

/**
 * Joins the parts of a complete upload to a file under its hash. Does nothing if that is done already.
 * @throws AppError `unsupported_media`, after which the upload is gone; `storage_full`, `unavailable`
 */
export const finishUpload = (deps: Deps, { id }: Pick<ResumableUpload, "id">): Promise<ResumableUpload> => {
  const store = requireStore(deps)
  return withUploadLock(store, `parts of ${id}`, async () => {
    const upload = await getUpload(deps, { id })
    if (upload.file) return upload
    const parts = await store.resumableUploads.listParts(id)
    const source = checkHead(readParts(deps.blobs, parts), (head) => void detectContainer(head, upload.name))
    const incoming = await deps.blobs.receive(source, { maxBytes: upload.size, isCopy: true }).catch(async (error) => {
      if (AppError.is(error) && error.code === "unsupported_media") await removeUpload(deps, { id })
      throw error
    })
    const key = recordingKey(incoming.sha256, upload.name)
    const file = { address: deps.blobs.addressOf(key), sha256: incoming.sha256 }
    await withUploadLock(store, key, async () => {
      await incoming.keep(key)
      await store.resumableUploads.finish(id, file)
    })
    await removeParts(deps, parts)
    return { ...upload, file }
  })
}

/** A source that names a resumable upload. */
const UPLOAD_SOURCE = /^upload:(.*)$/s
const UPLOAD_ID = /^[0-9a-f-]{36}$/

/**
 * Returns the file that a source of the form `upload:ID` names, or null for any other source.
 * @param options with `hasTranscript`, a source whose ID cannot be one is only a name
 * @throws AppError `not_found`, `conflict` for an upload that is not complete
 */
export const findUploadedFile = async (
  deps: Deps,
  source: string,
  { hasTranscript = false }: { readonly hasTranscript?: boolean } = {},
): Promise<ReceivedFile | null> => {
  const id = UPLOAD_SOURCE.exec(source)?.[1]
  if (id === undefined || (hasTranscript && !UPLOAD_ID.test(id))) return null
  const upload = await getUpload(deps, { id })
  if (upload.offset < upload.size)
    throw new AppError(
      "conflict",
      `source: upload '${id}' has ${upload.offset} of ${upload.size} bytes. Send the rest, then submit the job again.`,
    )
  const { name, file } = await finishUpload(deps, upload)
  return { path: file!.address, name, sha256: file!.sha256 }
}
