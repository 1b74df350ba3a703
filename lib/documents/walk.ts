import { opendir, realpath, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { formatOf, KNOWN_EXTENSIONS } from "../domain/document-formats.ts"
import { AppError } from "../domain/errors.ts"
import { isInside, outsideRoots } from "../platform/files/roots.ts"
import { toReadError } from "./read.ts"

/** The maximum number of documents per request, and of directory entries read to find them. */
const MAX_FILES = 20_000
const MAX_ENTRIES = 200_000

const SKIPPED_FOLDERS = new Set(["node_modules", "__pycache__"])

export type FoundFile = { readonly path: string } | { readonly path: string; readonly error: unknown }
/** A file that is skipped because its format is not supported. */
export type SkippedFile = { readonly path: string; readonly skipped: true }

const tooManyFilesError = (path: string): AppError =>
  new AppError(
    "too_large",
    `${path} contains more files than one request supports (${MAX_FILES} documents, ${MAX_ENTRIES} directory entries). Ingest its folders one by one.`,
  )

/** Returns the real paths of the folders that may be read. */
export const resolveRoots = (roots: readonly string[]): Promise<string[]> =>
  Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))))

const resolveInside = async (path: string, roots: readonly string[]): Promise<string> => {
  const real = await realpath(path).catch((error: unknown) => {
    throw toReadError(error, path)
  })
  if (!isInside(roots, real)) throw outsideRoots(path, roots, "link")
  return real
}

type Budget = { files: number; entries: number }

/** Lists the files below a folder, sorted by name. Omits hidden files and links to folders. */
async function* walkFolder(
  top: string,
  dir: string,
  roots: readonly string[],
  budget: Budget,
): AsyncGenerator<FoundFile | SkippedFile> {
  const entries: { name: string; isDirectory: boolean; isLink: boolean; isFile: boolean }[] = []
  try {
    for await (const entry of await opendir(dir)) {
      if (++budget.entries > MAX_ENTRIES) throw tooManyFilesError(top)
      if (entry.name.startsWith(".") || SKIPPED_FOLDERS.has(entry.name)) continue
      const [isDirectory, isLink, isFile] = [entry.isDirectory(), entry.isSymbolicLink(), entry.isFile()]
      entries.push({ name: entry.name, isDirectory, isLink, isFile })
    }
  } catch (error) {
    if (AppError.is(error)) throw error
    return yield { path: dir, error: toReadError(error, dir) }
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { name, isDirectory, isLink, isFile } of entries) {
    const path = join(dir, name)
    if (isDirectory) yield* walkFolder(top, path, roots, budget)
    else if (formatOf(name) !== null) {
      if (++budget.files > MAX_FILES) throw tooManyFilesError(top)
      if (!isLink) {
        if (isFile) yield { path }
        continue
      }
      try {
        const real = await resolveInside(path, roots)
        if ((await stat(real)).isFile()) yield { path: real }
      } catch (error) {
        yield { path, error: toReadError(error, path) }
      }
    } else if (isFile) yield { path, skipped: true }
  }
}

/**
 * Lists the documents of a path: the file itself, or all documents below a folder. Paths are real, inside the roots and
 * unique. Yields an error for a file that cannot be read and `skipped` for an unsupported one. A path that cannot be listed
 * yields one error.
 */
export async function* walkDocuments(
  given: string,
  cwd: string,
  roots: readonly string[],
  seen: Set<string>,
): AsyncGenerator<FoundFile | SkippedFile> {
  const path = resolve(cwd, given)
  try {
    const allowed = await resolveRoots(roots)
    if (given.includes("\0")) throw new AppError("invalid", "A path cannot contain a NUL character.")
    if (!isInside([...roots, ...allowed], path)) throw outsideRoots(path, roots)
    const real = await resolveInside(path, allowed)
    const found = await stat(real)
    if (!found.isDirectory() && formatOf(real) === null)
      throw new AppError(
        "unsupported_media",
        `Couldn't read ${path}: unsupported format. Supported: ${KNOWN_EXTENSIONS}.`,
      )
    const list = found.isDirectory() ? walkFolder(real, real, allowed, { files: 0, entries: 0 }) : [{ path: real }]
    for await (const item of list) {
      if (seen.has(item.path)) continue
      seen.add(item.path)
      yield item
    }
  } catch (error) {
    yield { path, error: toReadError(error, path) }
  }
}
