import { join } from "node:path"
import { YT_DLP_PROGRAM } from "../../engines/speech/models/catalog.ts"
import type { Config } from "../../platform/config/config.ts"
import type { SourceFolders } from "../../sources/open.ts"
import type { BlobStore } from "../../storage/blobs/types.ts"

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
