import { join } from "node:path"
import type { Config } from "../config.ts"
import type { SourceFolders } from "../sources/open.ts"
import { YT_DLP_PROGRAM } from "../speech/catalog/models.ts"

/** Where recordings may come from by the settings, and what fetches them. */
export const sourceFolders = ({ roots, data, fetch, speech }: Config): SourceFolders => ({
  roots,
  uploadsDir: data.uploadsDir,
  fetch,
  ytDlp: join(speech.models.dir, YT_DLP_PROGRAM, "yt-dlp"),
})
