import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { AppError, messageOf } from "../../domain/errors.ts"
import { requireGroups } from "../../platform/capabilities/registry.ts"
import type { BlobPlace } from "../../platform/config/blob-config.ts"
import type { Config } from "../../platform/config/config.ts"
import { removeStaleTempFiles } from "../../platform/files/temp-files.ts"
import { openBlobFolder } from "../../storage/blobs/folder.ts"
import { toFolderError } from "../../storage/blobs/mount-check.ts"
import { withUploadLimits } from "../../storage/blobs/quota.ts"
import type { BlobStore } from "../../storage/blobs/types.ts"
import type { Deps } from "../deps.ts"

/**
 * Opens the configured blob storage with its limits on uploads.
 * @param options.make create a folder named in the settings if only its last part is missing
 * @throws AppError `capability_missing` for a bucket without group `s3`, `unavailable` if the parent of the folder is missing
 */
export const openConfiguredBlobs = async (
  config: Pick<Config, "blobs" | "data">,
  groups: Deps["groups"],
  options: { make?: boolean } = {},
): Promise<BlobStore> => withUploadLimits(await openPlace(config, groups, options), config.blobs)

const openPlace = async (
  { blobs: { place }, data }: Pick<Config, "blobs" | "data">,
  groups: Deps["groups"],
  { make = false }: { make?: boolean },
): Promise<BlobStore> => {
  if (place.kind !== "folder" || place.dir === join(data.dir, "uploads")) return openBlobStore(place, groups)
  // If a network share is not mounted, do not create its folder: uploads would be stored on this machine only, and the
  // share would hide them once it is mounted.
  if (!existsSync(dirname(place.dir)))
    throw new AppError(
      "unavailable",
      `SERVICE_BLOB_URL names a folder in ${dirname(place.dir)}, which does not exist. Mount or create it, or correct SERVICE_BLOB_URL.`,
    )
  if (make) createFolder(place.dir)
  return openBlobFolder(place.dir, { mounted: existsSync(place.dir) })
}

const createFolder = (dir: string): void => {
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    // The folder may already exist, and another host may be creating it on the same share.
    if (!existsSync(dir)) throw toFolderError(error, dir)
    if (!statSync(dir).isDirectory())
      throw new AppError("unavailable", `SERVICE_BLOB_URL names ${dir}, which is a file. Set it to a folder.`)
  }
}

/** Opens any blob storage. Only this function imports the packages of group `s3`. @throws AppError `capability_missing` */
export const openBlobStore = async (place: BlobPlace, groups: Deps["groups"]): Promise<BlobStore> => {
  if (place.kind === "folder") return openBlobFolder(place.dir)
  requireGroups(groups, ["s3"])
  const { openS3 } = await import("../../storage/blobs/s3/index.ts")
  return openS3(place)
}

/** Removes incomplete uploads and downloads of earlier processes. Failures are logged; the next start tries again. */
export const removeStaleUploads = async ({
  blobs,
  config,
  log,
}: Pick<Deps, "blobs" | "config" | "log">): Promise<void> => {
  const downloads = await removeStaleTempFiles(config.data.tempDir)
  const sweeping = blobs.sweep().then(
    (uploads) => {
      if (uploads + downloads > 0) log.info({ files: uploads + downloads }, "removed incomplete uploads")
    },
    (error: unknown) => log.warn({ detail: messageOf(error) }, "failed to remove incomplete uploads"),
  )
  // Sweep a folder before new uploads arrive, but do not delay the start for remote storage.
  if (blobs.kind === "folder") await sweeping
}
