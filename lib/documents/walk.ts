import { opendir, realpath, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import { AppError } from "../domain/errors.ts"
import { isInside, outsideRoots } from "../platform/files/roots.ts"
import { formatOf, KNOWN_EXTENSIONS } from "./formats.ts"
import { cannotRead } from "./read.ts"

/** Most files of one request, and entries looked at to find them. */
const MAX_FILES = 20_000
const MAX_ENTRIES = 200_000

const SKIPPED = new Set(["node_modules", "__pycache__"])

export type Found = { readonly path: string } | { readonly path: string; readonly error: unknown }
/** A file of a folder that is of no format that can be read. */
export type Skipped = { readonly path: string; readonly skipped: true }

const tooMany = (path: string): AppError =>
  new AppError(
    "too_large",
    `'${path}' holds more files than one request takes (${MAX_FILES} documents, ${MAX_ENTRIES} entries): ingest its folders one by one`,
  )

/** The folders that may be read, by their real paths. */
export const realRoots = (roots: readonly string[]): Promise<string[]> =>
  Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))))

const realInside = async (path: string, roots: readonly string[]): Promise<string> => {
  const real = await realpath(path).catch((error: unknown) => {
    throw cannotRead(error, path)
  })
  if (!isInside(roots, real)) throw outsideRoots(path, roots, "link")
  return real
}

type Budget = { files: number; entries: number }

/** Files of a folder and below, by name; hidden ones and links to folders are left out. */
async function* folder(
  top: string,
  dir: string,
  roots: readonly string[],
  budget: Budget,
): AsyncGenerator<Found | Skipped> {
  const entries: { name: string; isDirectory: boolean; isLink: boolean; isFile: boolean }[] = []
  try {
    for await (const entry of await opendir(dir)) {
      if (++budget.entries > MAX_ENTRIES) throw tooMany(top)
      if (entry.name.startsWith(".") || SKIPPED.has(entry.name)) continue
      const [isDirectory, isLink, isFile] = [entry.isDirectory(), entry.isSymbolicLink(), entry.isFile()]
      entries.push({ name: entry.name, isDirectory, isLink, isFile })
    }
  } catch (error) {
    if (AppError.is(error)) throw error
    return yield { path: dir, error: cannotRead(error, dir) }
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { name, isDirectory, isLink, isFile } of entries) {
    const path = join(dir, name)
    if (isDirectory) yield* folder(top, path, roots, budget)
    else if (formatOf(name) !== null) {
      if (++budget.files > MAX_FILES) throw tooMany(top)
      if (!isLink) {
        if (isFile) yield { path }
        continue
      }
      try {
        const real = await realInside(path, roots)
        if ((await stat(real)).isFile()) yield { path: real }
      } catch (error) {
        yield { path, error: cannotRead(error, path) }
      }
    } else if (isFile) yield { path, skipped: true }
  }
}

/**
 * The documents that a path names: itself, or what lies below a folder, as real paths inside the roots, each once. What
 * cannot be taken comes with its error, what is no document as skipped. Only an overlong listing is thrown.
 */
export async function* documentsAt(
  given: string,
  cwd: string,
  roots: readonly string[],
  seen: Set<string>,
): AsyncGenerator<Found | Skipped> {
  const path = resolve(cwd, given)
  try {
    const allowed = await realRoots(roots)
    if (given.includes("\0")) throw new AppError("invalid", "a path holds no NUL")
    if (!isInside([...roots, ...allowed], path)) throw outsideRoots(path, roots)
    const real = await realInside(path, allowed)
    const found = await stat(real)
    if (!found.isDirectory() && formatOf(real) === null)
      throw new AppError("unsupported_media", `'${path}' is of no format that can be read: ${KNOWN_EXTENSIONS}`)
    const list = found.isDirectory() ? folder(real, real, allowed, { files: 0, entries: 0 }) : [{ path: real }]
    for await (const item of list) {
      if (seen.has(item.path)) continue
      seen.add(item.path)
      yield item
    }
  } catch (error) {
    yield { path, error: cannotRead(error, path) }
  }
}
