import { join } from "node:path"
import type { BlobStore } from "../blobs/types.ts"
import type { Config } from "../config.ts"
import type { SourceFolders } from "../sources/open.ts"
import { YT_DLP_PROGRAM } from "../speech/catalog/models.ts"

/** Where recordings may come from by the settings, and what fetches them. `blobs` is asked for when an upload is read. */
export const sourceFolders = (
  { roots, data, fetch, speech }: Config,
  blobs: () => Promise<BlobStore>,
): SourceFolders => ({
  roots,
  blobs,
  tempDir: data.tempDir,
  fetch,
  ytDlp: join(speech.models.dir, YT_DLP_PROGRAM, "yt-dlp"),
})
