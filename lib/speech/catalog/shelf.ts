import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { z } from "zod"
import { AppError, messageOf } from "../../errors.ts"
import { EngineUnfit } from "../unfit.ts"
import { checksumOf, downloadFile } from "./download.ts"
import { fetchListing } from "./listing.ts"
import { withLock } from "./lock.ts"
import { CATALOG, findModel, type Model, type ModelFile } from "./models.ts"
import { openWeb } from "./web.ts"

export type ShelfOptions = {
  /** Folder of models, one folder each. */
  readonly dir: string
  /** Nothing is fetched. */
  readonly offline: boolean
  /** Takes the place of scheme and host of every address; paths stay. */
  readonly mirror: string | undefined
  readonly proxy: string | undefined
  /** For tests of silence. */
  readonly idleMs?: number
  readonly pauseMs?: number
}

export type PullOptions = {
  readonly signal: AbortSignal
  readonly progress: (done: number, total: number) => void
}

export type ModelState = {
  readonly name: string
  readonly use: string
  readonly purpose: string
  readonly bytes: number
  /** Of a download under way or broken off. */
  readonly fetched_bytes: number
  readonly languages: readonly string[] | null
  readonly licence: string
  /** `partial`: a download was broken off. `own`: a folder that somebody put there. */
  readonly state: "absent" | "partial" | "present" | "own"
}

/** Beside the files of a pulled model: what they were when they came. */
const MANIFEST = "manifest.json"
const manifestSchema = z.object({
  files: z.array(z.object({ name: z.string(), bytes: z.number(), checksum: z.string() })),
})

const IDLE_MS = 30_000
const PAUSE_MS = 1000
const REACH_MS = 1500
/** One folder's name: neither a path nor hidden. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const bytesIn = async (dir: string): Promise<number> => {
  const names = await readdir(dir).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(dir, name)).then(
        (s) => s.size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const unknown = (name: string): AppError =>
  new AppError(
    "invalid",
    `there is no model '${name}': \`earmark models list\` shows those that can be pulled, and one of your own goes into a folder of that name`,
  )

/** The models of this machine: what there is, and fetching what is missing. */
export const createShelf = (options: ShelfOptions) => {
  const { dir, offline, mirror, proxy, idleMs = IDLE_MS, pauseMs = PAUSE_MS } = options
  const incoming = join(dir, ".incoming")
  /** Models whose files were compared with their checksums by this process. */
  const verified = new Set<string>()

  const folderOf = (name: string): string => join(dir, findModel(name)?.name ?? name)
  const addressOf = (url: string): string => {
    if (mirror === undefined) return url
    const { pathname, search } = new URL(url)
    return `${mirror}${pathname}${search}`
  }

  const isPresent = async (name: string): Promise<boolean> => {
    const model = findModel(name)
    if (!model) return PLAIN_NAME.test(name) && exists(folderOf(name))
    return (await Promise.all(model.files.map((file) => exists(join(folderOf(name), file.name))))).every(Boolean)
  }

  const stateOf = async (model: Model): Promise<ModelState> => {
    const { aliases: _, files: __, listing: ___, ...shown } = model
    const fetched_bytes = await bytesIn(join(incoming, model.name))
    if (await isPresent(model.name))
      return { ...shown, state: "present", bytes: await bytesIn(folderOf(model.name)), fetched_bytes }
    return { ...shown, state: fetched_bytes > 0 ? "partial" : "absent", fetched_bytes }
  }

  /** Folders that are no model of the catalog. */
  const own = async (): Promise<ModelState[]> => {
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
    const names = entries
      .filter((e) => e.isDirectory() && PLAIN_NAME.test(e.name) && !findModel(e.name))
      .map((e) => e.name)
    return Promise.all(
      names.map(async (name) => ({
        name,
        use: "speech",
        purpose: "put there by hand",
        bytes: await bytesIn(join(dir, name)),
        fetched_bytes: 0,
        languages: null,
        licence: "not known",
        state: "own" as const,
      })),
    )
  }

  const fetchFiles = async (model: Model, { signal, progress }: PullOptions): Promise<void> => {
    const folder = join(incoming, model.name)
    await mkdir(folder, { recursive: true })
    const web = { proxy, idleMs, signal }
    const listed =
      model.listing && model.files.some((file) => file.sha256 === null)
        ? await fetchListing({ ...model.listing, url: addressOf(model.listing.url) }, web)
        : new Map<string, { bytes: number | null; checksum: string }>()
    const wanted = model.files.map((file) => {
      const found = listed.get(basename(new URL(file.url).pathname))
      return { ...file, bytes: file.bytes ?? found?.bytes ?? null, checksum: file.sha256 ?? found?.checksum ?? null }
    })
    const total = wanted.every((file) => file.bytes !== null)
      ? wanted.reduce((sum, file) => sum + file.bytes!, 0)
      : model.bytes
    let before = 0
    const files: { name: string; bytes: number; checksum: string }[] = []
    for (const { name, url, bytes, checksum } of wanted) {
      const part = join(folder, name)
      const tell = (done: number) => progress(before + done, Math.max(total, before + done))
      tell(0)
      const found = await downloadFile(addressOf(url), {
        part,
        bytes,
        checksum,
        proxy,
        idleMs,
        pauseMs,
        signal,
        progress: tell,
      })
      const { size } = await stat(part)
      before += size
      files.push({ name, bytes: size, checksum: found })
      if (model.use === "program") await chmod(part, 0o755)
    }
    await writeFile(join(folder, MANIFEST), `${JSON.stringify({ files }, null, 2)}\n`)
    await rm(folderOf(model.name), { recursive: true, force: true })
    await rename(folder, folderOf(model.name))
    verified.add(model.name)
  }

  const pull = async (name: string, given: PullOptions): Promise<string> => {
    const model = findModel(name)
    if (!model) throw unknown(name)
    if (offline)
      throw new EngineUnfit(
        "unavailable",
        `the model ${model.name} is not there and SERVICE_MODELS_OFFLINE forbids fetching it: copy its files to ${folderOf(name)}`,
      )
    await mkdir(incoming, { recursive: true })
    const lock = join(incoming, `${model.name}.lock`)
    let waited = false
    const waiting = async () => {
      waited = true
      given.progress(await bytesIn(join(incoming, model.name)), model.bytes)
    }
    try {
      await withLock(lock, { signal: given.signal, waiting }, async () => {
        // Whoever had the lock may have brought it.
        if (!waited || !(await isPresent(model.name))) await fetchFiles(model, given)
      })
    } catch (error) {
      given.signal.throwIfAborted()
      if (AppError.is(error) && error.code === "storage_full") throw error
      throw new EngineUnfit(
        "unavailable",
        `the model ${model.name} could not be fetched: ${messageOf(error)}. Check the network (SERVICE_MODELS_PROXY, SERVICE_MODELS_MIRROR), then try \`earmark models pull ${model.name}\``,
        { cause: error },
      )
    }
    return folderOf(name)
  }

  /** What the files of a model should be: by their manifest, else by the catalog. */
  const expected = async (name: string): Promise<{ name: string; bytes: number | null; checksum: string | null }[]> => {
    const text = await readFile(join(folderOf(name), MANIFEST), "utf8").catch(() => null)
    if (text !== null) return manifestSchema.parse(JSON.parse(text)).files
    return (findModel(name)?.files ?? []).map((file: ModelFile) => ({
      name: file.name,
      bytes: file.bytes,
      checksum: file.sha256,
    }))
  }

  /** Compares a model's files with what they were when they came. A broken file makes native code abort. */
  const verify = async (name: string): Promise<void> => {
    const key = findModel(name)?.name ?? name
    if (verified.has(key)) return
    for (const file of await expected(name).catch(() => [])) {
      const path = join(folderOf(name), file.name)
      const { size } = await stat(path)
      const wrong =
        (file.bytes !== null && size !== file.bytes) ||
        (file.checksum !== null && (await checksumOf(path, file.checksum)) !== file.checksum)
      if (wrong)
        throw new EngineUnfit(
          "unavailable",
          `the model ${key} is damaged (${file.name} has a wrong checksum): \`earmark models pull ${key}\` fetches it anew`,
        )
    }
    verified.add(key)
  }

  return {
    list: async (): Promise<ModelState[]> => [...(await Promise.all(CATALOG.map(stateOf))), ...(await own())],
    isPresent,
    folderOf,
    /** Bytes that pulling these would fetch, about. */
    missingBytes: async (names: readonly string[]): Promise<number> => {
      const missing = await Promise.all(
        names.map(async (name) => ((await isPresent(name)) ? 0 : (findModel(name)?.bytes ?? 0))),
      )
      return missing.reduce((sum, bytes) => sum + bytes, 0)
    },
    /** Fetches a model, also when it is there. @returns its folder @throws EngineUnfit with the reason and what to do */
    pull,
    /** The folder of a model whose files are whole; fetched when it is missing. @throws EngineUnfit */
    ensure: async (name: string, given: PullOptions): Promise<string> => {
      if (!(await isPresent(name))) return pull(name, given)
      await verify(name)
      return folderOf(name)
    },
    /** @returns whether there was anything to remove */
    remove: async (name: string): Promise<boolean> => {
      if (!PLAIN_NAME.test(name)) throw unknown(name)
      const folders = [folderOf(name), join(incoming, findModel(name)?.name ?? name)]
      const there = (await Promise.all(folders.map(exists))).some(Boolean)
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
      verified.delete(findModel(name)?.name ?? name)
      return there
    },
    /** Whether a model could be fetched now: somebody answers at the address of its files. */
    isReachable: async (name: string): Promise<boolean> => {
      const url = findModel(name)?.files[0]?.url
      if (offline || url === undefined) return false
      try {
        const signal = AbortSignal.timeout(REACH_MS)
        const response = await openWeb(new URL("/robots.txt", addressOf(url)).href, { proxy, idleMs: REACH_MS, signal })
        response.destroy()
        return true
      } catch {
        return false
      }
    },
  }
}
export type Shelf = ReturnType<typeof createShelf>
