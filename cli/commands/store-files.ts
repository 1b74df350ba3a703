import { AppError } from "#lib/domain/errors.ts"
import { probeGroups } from "#lib/platform/capabilities/load.ts"
import { type BlobPlace, blobPlace } from "#lib/platform/config/blob-config.ts"
import { openBlobStore, openConfiguredBlobs } from "#lib/services/installation/open-blobs.ts"
import { copyBlobs } from "#lib/storage/blobs/copy.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"

const placeOf = (flag: string, text: string): BlobPlace => {
  const parsed = blobPlace.safeParse(text)
  if (parsed.success) return parsed.data
  throw new AppError("invalid", `${flag} ${parsed.error.issues[0]?.message}`)
}

/** Copies recordings and documents from one blob store to another: `earmark store copy-files`. */
export const copyFiles = async (flags: { from: string; to: string }): Promise<void> => {
  const [from, to] = [placeOf("--from", flags.from), placeOf("--to", flags.to)]
  const groups = await probeGroups(settings().disabledExtras)
  const [source, target] = [await openBlobStore(from, groups), await openBlobStore(to, groups)]
  try {
    await target.check(AbortSignal.timeout(30_000))
    const { isTTY } = process.stderr
    const { copied, skipped, bytes } = await copyBlobs(source, target, (done, key) => {
      if (isTTY) process.stderr.write(`\r\x1b[2K  ${done.copied} copied, ${done.skipped} skipped: ${key.slice(0, 60)}`)
    })
    if (isTTY) process.stderr.write("\r\x1b[2K")
    const text = `${copied} copied (${(bytes / 2 ** 20).toFixed(1)} MB), ${skipped} already there. ${target.location} contains everything in ${source.location}.`
    printResult({ from: source.location, to: target.location, copied, there: skipped, bytes }, () => text)
  } finally {
    source.close()
    target.close()
  }
}

/**
 * Copies uploads into a folder and skips files that exist there. Does not copy a bucket.
 * @throws AppError if the content of a blob does not match its hash; `storage_full`
 */
export const backUpFiles = async (
  dir: string,
): Promise<{ to: string | null; copied?: number; there?: number; bytes?: number; text: string }> => {
  const config = settings()
  const groups = await probeGroups(config.disabledExtras)
  const [source, target] = [
    await openConfiguredBlobs(config, groups),
    await openBlobStore({ kind: "folder", dir }, groups),
  ]
  try {
    if (source.kind !== "folder")
      return {
        to: null,
        text: `Uploads are in ${source.location} and are not included. Back them up with the tools of that storage.`,
      }
    const { copied, skipped, bytes } = await copyBlobs(source, target, () => undefined)
    return {
      to: dir,
      copied,
      there: skipped,
      bytes,
      text: `${dir}: ${copied} uploads copied, ${skipped} already there`,
    }
  } finally {
    source.close()
    target.close()
  }
}
