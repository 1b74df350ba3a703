import { AppError } from "../../../domain/errors.ts"
import { newId } from "../../../domain/ids.ts"
import type { ResumableUpload } from "../../../storage/stores/ports/resumable-uploads.ts"
import { type Deps, requireStore } from "../../deps.ts"
import { removeParts } from "./parts.ts"

export type UploadRef = { readonly id: string }

const tooLarge = (size: number, maxBytes: number): AppError =>
  new AppError(
    "too_large",
    `The recording has ${Math.ceil(size / 2 ** 20)} MB. The maximum is ${Math.floor(maxBytes / 2 ** 20)} MB (SERVICE_MAX_UPLOAD_MB).`,
  )

export const unknownUpload = (id: string): AppError =>
  new AppError("not_found", `unknown upload '${id}'. Uploads expire some time after their last part; start a new one.`)

/** How long an upload stays after its last part. */
export const lifetimeOf = ({ config }: Pick<Deps, "config">): { readonly lifetimeMs: number } => ({
  lifetimeMs: config.retention.partialUploadsMs,
})

/** @throws AppError `too_large`, `invalid` for an empty recording */
export const createUpload = async (
  deps: Deps,
  upload: Pick<ResumableUpload, "name" | "metadata" | "size">,
  id: string = newId(),
): Promise<ResumableUpload> => {
  const { maxUploadBytes } = deps.config.http
  if (upload.size > maxUploadBytes) throw tooLarge(upload.size, maxUploadBytes)
  if (upload.size === 0) throw new AppError("invalid", "Upload-Length: the recording is empty (0 bytes)")
  const { resumableUploads } = requireStore(deps)
  return (await resumableUploads.get(id)) ?? (await resumableUploads.create({ id, ...upload }, lifetimeOf(deps)))
}

/** @throws AppError `not_found` */
export const getUpload = async (deps: Deps, { id }: UploadRef): Promise<ResumableUpload> => {
  const upload = await requireStore(deps).resumableUploads.get(id)
  if (upload === null) throw unknownUpload(id)
  return upload
}

/** Removes an upload with its parts. A job that uses the file keeps it. @throws AppError `not_found` */
export const removeUpload = async (deps: Deps, { id }: UploadRef): Promise<void> => {
  const { resumableUploads } = requireStore(deps)
  await getUpload(deps, { id })
  const parts = await resumableUploads.listParts(id)
  if (!(await resumableUploads.remove(id))) throw unknownUpload(id)
  await removeParts(deps, parts)
}
