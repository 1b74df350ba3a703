import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { AppError } from "../../domain/errors.ts"
import { requireGroups } from "../../platform/capabilities/registry.ts"
import type { BlobPlace } from "../../platform/config/blob-config.ts"
import type { Config } from "../../platform/config/config.ts"
import { openFolder } from "../../storage/blobs/folder.ts"
import { folderError } from "../../storage/blobs/mount-check.ts"
import type { BlobStore } from "../../storage/blobs/types.ts"
import type { Deps } from "../deps.ts"

/**
 * Where the settings say that recordings and documents lie. The packages of group `s3` are reached only here. A folder
 * that they name is made at the start of the service (`make`), only its last part, and never again.
 * @throws AppError `capability_missing` when a bucket is named and the group is not there; `unavailable` when a folder is
 * named that lies nowhere
 */
export const openBlobs = async (
  { blobs: { place }, data }: Pick<Config, "blobs" | "data">,
  groups: Deps["groups"],
  { make = false } = {},
): Promise<BlobStore> => {
  if (place.kind !== "folder" || place.dir === join(data.dir, "uploads")) return openPlace(place, groups)
  // A share that is not mounted: what is sent would lie on this machine alone, and be gone when the share is back.
  if (!existsSync(dirname(place.dir)))
    throw new AppError(
      "unavailable",
      `There is no folder ${dirname(place.dir)}, in which SERVICE_BLOB_URL says that recordings lie. Mount or make it, then start again; or mend SERVICE_BLOB_URL.`,
    )
  if (make) makeOnce(place.dir)
  return openFolder(place.dir, { mounted: existsSync(place.dir) })
}

const makeOnce = (dir: string): void => {
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    // Not asked before: on a share another host may be quicker. One that is there need not take folders.
    if (!existsSync(dir)) throw folderError(error, dir)
    if (!statSync(dir).isDirectory())
      throw new AppError("unavailable", `${dir}, which SERVICE_BLOB_URL names, is a file: name a folder.`)
  }
}

/** The same for a place that is not that of the settings. */
export const openPlace = async (place: BlobPlace, groups: Deps["groups"]): Promise<BlobStore> => {
  if (place.kind === "folder") return openFolder(place.dir)
  requireGroups(groups, ["s3"])
  const { openS3 } = await import("../../storage/blobs/s3/index.ts")
  return openS3(place)
}
