import { messageOf } from "../../domain/errors.ts"
import { removeStaleTempFiles } from "../../platform/files/temp-files.ts"
import type { Deps } from "../deps.ts"

/** Removes what earlier processes left half received or half fetched. A storage that does not answer is asked next time. */
export const sweepUploads = async ({ blobs, config, log }: Pick<Deps, "blobs" | "config" | "log">): Promise<void> => {
  const fetched = await removeStaleTempFiles(config.data.tempDir)
  const sweeping = blobs.sweep().then(
    (received) => {
      if (received + fetched > 0) log.info({ files: received + fetched }, "removed uploads that were broken off")
    },
    (error: unknown) => log.warn({ detail: messageOf(error) }, "uploads that were broken off are not removed"),
  )
  // A folder is swept before anyone sends; a storage elsewhere keeps no start waiting.
  if (blobs.kind === "folder") await sweeping
}
