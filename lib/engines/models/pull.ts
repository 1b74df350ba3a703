import { chmod, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { AppError, messageOf } from "../../domain/errors.ts"
import { EngineUnavailableError } from "../errors.ts"
import { findModel, type Model, type ModelFile } from "./catalog.ts"
import { fetchListing, type ListedFiles } from "./checksum-list.ts"
import { downloadFile } from "./download.ts"
import { createModelFolder, folderSize, type ModelFolders, unknownModelError } from "./folders.ts"
import { withLock } from "./lock.ts"
import { type ManifestFile, writeManifest } from "./manifest.ts"
import type { ModelRegistryOptions, PullOptions } from "./types.ts"

const IDLE_TIMEOUT_MS = 30_000
const RETRY_DELAY_MS = 1000
/** Catalog sizes are approximate, and a new release of a program may be larger. */
const MAX_GROWTH_FACTOR = 8

/** A file with a known checksum. `maxBytes` limits the download if the size is unknown. */
type ResolvedFile = ModelFile & { readonly checksum: string; readonly maxBytes: number }

/** Replaces scheme and host of a URL by those of the mirror, if there is one. */
export const applyMirror = (url: string, mirror: string | undefined): string => {
  if (mirror === undefined) return url
  const { pathname, search } = new URL(url)
  return `${mirror}${pathname}${search}`
}

const toSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/** Wraps a failed download. A full disk is passed on as it is, because another engine would not help. */
const toPullError = ({ name }: Model, error: unknown): AppError =>
  AppError.is(error) && error.code === "storage_full"
    ? error
    : new EngineUnavailableError(
        "unavailable",
        `Couldn't download the model ${name}: ${toSentence(messageOf(error))} Check the network (SERVICE_MODELS_PROXY, SERVICE_MODELS_MIRROR), then run \`npx earmark models pull ${name}\`.`,
        { cause: error },
      )

/** Creates a function that downloads models. A model is moved into place once all of its files are verified. */
export const createModelPuller = (
  folders: ModelFolders,
  { offline, mirror, proxy, idleMs = IDLE_TIMEOUT_MS, pauseMs = RETRY_DELAY_MS }: ModelRegistryOptions,
) => {
  /** Adds checksums and sizes that the catalog does not contain from the publisher's list. */
  const resolveFiles = async (
    { files, listing, bytes: approximateBytes }: Model,
    signal: AbortSignal,
  ): Promise<ResolvedFile[]> => {
    const listed: ListedFiles =
      listing && files.some((file) => file.sha256 === null)
        ? await fetchListing({ ...listing, url: applyMirror(listing.url, mirror) }, { proxy, idleMs, signal })
        : new Map()
    return files.map((file) => {
      const name = basename(new URL(file.url).pathname)
      const found = listed.get(name)
      const checksum = file.sha256 ?? found?.checksum
      // Some of these files are executed, so a file that cannot be verified is never used.
      if (checksum === undefined) throw new AppError("unavailable", `the list of checksums does not contain ${name}`)
      const bytes = file.bytes ?? found?.bytes ?? null
      return { ...file, bytes, checksum, maxBytes: bytes ?? MAX_GROWTH_FACTOR * approximateBytes }
    })
  }

  const downloadFiles = async (model: Model, { signal, progress }: PullOptions): Promise<void> => {
    const folder = folders.downloadDir(model.name)
    createModelFolder(folder)
    const resolved = await resolveFiles(model, signal)
    const hasAllSizes = resolved.every((file) => file.bytes !== null)
    const total = hasAllSizes ? resolved.reduce((sum, file) => sum + file.bytes!, 0) : model.bytes
    let completed = 0
    const files: ManifestFile[] = []
    for (const { name, url, bytes, maxBytes, checksum } of resolved) {
      const path = join(folder, name)
      const report = (done: number) => progress(completed + done, Math.max(total, completed + done))
      report(0)
      const options = { path, bytes, maxBytes, checksum, proxy, idleMs, pauseMs, signal, progress: report }
      const found = await downloadFile(applyMirror(url, mirror), options)
      const { size } = await stat(path)
      completed += size
      files.push({ name, bytes: size, checksum: found })
      if (model.use === "program") await chmod(path, 0o755)
    }
    await writeManifest(folder, files)
    await rm(folders.modelDir(model.name), { recursive: true, force: true })
    await rename(folder, folders.modelDir(model.name))
  }

  /**
   * Downloads a model, even if it is already installed.
   * @returns its folder
   * @throws EngineUnavailableError
   */
  return async (name: string, options: PullOptions): Promise<string> => {
    const model = findModel(name)
    if (!model) throw unknownModelError(name)
    const folder = folders.modelDir(name)
    if (offline)
      throw new EngineUnavailableError(
        "unavailable",
        `The model ${model.name} is not installed, and SERVICE_MODELS_OFFLINE forbids downloads. Copy its files to ${folder}.`,
      )
    const lock = folders.lockPath(name)
    createModelFolder(join(lock, ".."))
    let hasWaited = false
    const waiting = async () => {
      if (!hasWaited) options.waiting?.()
      hasWaited = true
      options.progress(await folderSize(folders.downloadDir(name)), model.bytes)
    }
    try {
      await withLock(lock, { signal: options.signal, waiting }, async () => {
        // The previous holder of the lock may have downloaded the model.
        if (hasWaited && (await folders.isPresent(name))) return
        await rm(folders.failurePath(name), { force: true })
        await downloadFiles(model, options)
      })
    } catch (error) {
      options.signal.throwIfAborted()
      const failure = toPullError(model, error)
      await writeFile(folders.failurePath(name), failure.message).catch(() => {})
      throw failure
    }
    return folder
  }
}
