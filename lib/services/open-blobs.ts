import { openFolder } from "../blobs/folder.ts"
import type { BlobStore } from "../blobs/types.ts"
import { requireGroups } from "../capabilities/registry.ts"
import type { Config } from "../config.ts"
import type { Deps } from "./deps.ts"

/**
 * Where the settings say that recordings and documents lie. The packages of group `s3` are reached only here.
 * @throws AppError `capability_missing` when a bucket is named and the group is not there
 */
export const openBlobs = async ({ blobs }: Config, groups: Deps["groups"]): Promise<BlobStore> => {
  if (blobs.place.kind === "folder") return openFolder(blobs.place.dir)
  requireGroups(groups, ["s3"])
  const { openS3 } = await import("../blobs/s3/index.ts")
  return openS3(blobs.place)
}
