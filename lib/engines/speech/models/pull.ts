import { chmod, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { AppError, messageOf } from "../../../domain/errors.ts"
import { EngineUnavailableError } from "../errors.ts"
import { findModel, type Model, type ModelFile } from "./catalog.ts"
import { downloadFile } from "./download.ts"
import { bytesIn, type Folders, makeRoom, unknownModel } from "./folders.ts"
import { fetchListing, type Listed } from "./listing.ts"
import { withLock } from "./lock.ts"
import { type KnownFile, writeManifest } from "./manifest.ts"
import type { PullOptions, ShelfOptions } from "./types.ts"

const IDLE_MS = 30_000
const PAUSE_MS = 1000

/** A file with what it must be. `most`: bytes after which it is given up, where its length is not known. */
type Wanted = ModelFile & { readonly checksum: string; readonly most: number }

/** Lengths in the catalog are about; a new release of a program may be larger. */
const GROWTH = 8

/** The address of a file, at the mirror where there is one. */
export const addressOf = (url: string, mirror: string | undefined): string => {
  if (mirror === undefined) return url
  const { pathname, search } = new URL(url)
  return `${mirror}${pathname}${search}`
}

/** What is said of a fetch that failed. A full disk is no matter of the network, and no reason for another engine. */
const inWords = ({ name }: Model, error: unknown): AppError =>
  AppError.is(error) && error.code === "storage_full"
    ? error
    : new EngineUnavailableError(
        "unavailable",
        `the model ${name} could not be fetched: ${messageOf(error)}. Check the network (SERVICE_MODELS_PROXY, SERVICE_MODELS_MIRROR), then try \`npx earmark models pull ${name}\``,
        { cause: error },
      )

/** Fetches models into their folders: every file is checked, and a model is there when all of them are. */
export const createPuller = (folders: Folders, { offline, mirror, proxy, ...more }: ShelfOptions) => {
  const { idleMs = IDLE_MS, pauseMs = PAUSE_MS } = more

  /** The files of a model, with what the publisher's own list says of those that the catalog does not know. */
  const wantedOf = async ({ files, listing, bytes: about }: Model, signal: AbortSignal): Promise<Wanted[]> => {
    const listed: Listed =
      listing && files.some((file) => file.sha256 === null)
        ? await fetchListing({ ...listing, url: addressOf(listing.url, mirror) }, { proxy, idleMs, signal })
        : new Map()
    return files.map((file) => {
      const name = basename(new URL(file.url).pathname)
      const found = listed.get(name)
      const checksum = file.sha256 ?? found?.checksum
      // What cannot be checked is not taken: it may be anything, and some of it is run.
      if (checksum === undefined) throw new AppError("unavailable", `the list of checksums does not name ${name}`)
      const bytes = file.bytes ?? found?.bytes ?? null
      return { ...file, bytes, checksum, most: bytes ?? GROWTH * about }
    })
  }

  const fetchFiles = async (model: Model, { signal, progress }: PullOptions): Promise<void> => {
    const folder = folders.incomingOf(model.name)
    makeRoom(folder)
    const wanted = await wantedOf(model, signal)
    const isKnown = wanted.every((file) => file.bytes !== null)
    const total = isKnown ? wanted.reduce((sum, file) => sum + file.bytes!, 0) : model.bytes
    let before = 0
    const files: KnownFile[] = []
    for (const { name, url, bytes, most, checksum } of wanted) {
      const part = join(folder, name)
      const tell = (done: number) => progress(before + done, Math.max(total, before + done))
      tell(0)
      const options = { part, bytes, most, checksum, proxy, idleMs, pauseMs, signal, progress: tell }
      const found = await downloadFile(addressOf(url, mirror), options)
      const { size } = await stat(part)
      before += size
      files.push({ name, bytes: size, checksum: found })
      if (model.use === "program") await chmod(part, 0o755)
    }
    await writeManifest(folder, files)
    await rm(folders.folderOf(model.name), { recursive: true, force: true })
    await rename(folder, folders.folderOf(model.name))
  }

  /** Fetches a model, also when it is there. @returns its folder @throws EngineUnfit with the reason and what to do */
  return async (name: string, given: PullOptions): Promise<string> => {
    const model = findModel(name)
    if (!model) throw unknownModel(name)
    const folder = folders.folderOf(name)
    if (offline)
      throw new EngineUnavailableError(
        "unavailable",
        `the model ${model.name} is not there and SERVICE_MODELS_OFFLINE forbids fetching it: copy its files to ${folder}`,
      )
    const lock = folders.lockOf(name)
    makeRoom(join(lock, ".."))
    let waited = false
    const waiting = async () => {
      if (!waited) given.waiting?.()
      waited = true
      given.progress(await bytesIn(folders.incomingOf(name)), model.bytes)
    }
    try {
      await withLock(lock, { signal: given.signal, waiting }, async () => {
        // Whoever had the lock may have brought it.
        if (waited && (await folders.isPresent(name))) return
        await rm(folders.failureOf(name), { force: true })
        await fetchFiles(model, given)
      })
    } catch (error) {
      given.signal.throwIfAborted()
      const failure = inWords(model, error)
      await writeFile(folders.failureOf(name), failure.message).catch(() => {})
      throw failure
    }
    return folder
  }
}
