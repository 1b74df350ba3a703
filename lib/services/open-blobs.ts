import { openFolder } from "../blobs/folder.ts"
import type { BlobStore } from "../blobs/types.ts"
import { requireGroups } from "../capabilities/registry.ts"
import type { Config } from "../config.ts"
import type { BlobPlace } from "../config-blobs.ts"
import type { Deps } from "./deps.ts"

/**
 * Where the settings say that recordings and documents lie. The packages of group `s3` are reached only here.
 * @throws AppError `capability_missing` when a bucket is named and the group is not there
 */
export const openBlobs = ({ blobs }: Pick<Config, "blobs">, groups: Deps["groups"]): Promise<BlobStore> =>
  openPlace(blobs.place, groups)

/** The same for a place that is not that of the settings. */
export const openPlace = async (place: BlobPlace, groups: Deps["groups"]): Promise<BlobStore> => {
  if (place.kind === "folder") return openFolder(place.dir)
  requireGroups(groups, ["s3"])
  const { openS3 } = await import("../blobs/s3/index.ts")
  return openS3(place)
}
