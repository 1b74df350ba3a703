import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import type { ModelFile } from "./catalog.ts"
import { checksumOf } from "./download.ts"

/** Beside the files of a pulled model: what they were when they came. */
const MANIFEST = "manifest.json"
const manifestSchema = z.object({
  files: z.array(z.object({ name: z.string(), bytes: z.number(), checksum: z.string() })),
})

export type KnownFile = { readonly name: string; readonly bytes: number | null; readonly checksum: string | null }

export const writeManifest = (folder: string, files: readonly KnownFile[]): Promise<void> =>
  writeFile(join(folder, MANIFEST), `${JSON.stringify({ files }, null, 2)}\n`)

/** What the files in a folder should be: by their manifest, else by the catalog; nothing where neither can be read. */
const expected = async (folder: string, inCatalog: readonly ModelFile[]): Promise<readonly KnownFile[]> => {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => null)
  if (text === null) return inCatalog.map(({ name, bytes, sha256 }) => ({ name, bytes, checksum: sha256 }))
  try {
    return manifestSchema.parse(JSON.parse(text)).files
  } catch {
    return []
  }
}

/** The first file in a folder that is not what it was when it came; null: all are. */
export const damagedFile = async (folder: string, inCatalog: readonly ModelFile[]): Promise<string | null> => {
  for (const { name, bytes, checksum } of await expected(folder, inCatalog)) {
    const path = join(folder, name)
    const size = await stat(path).then(
      (s) => s.size,
      () => null,
    )
    if (size === null || (bytes !== null && size !== bytes)) return name
    if (checksum !== null && (await checksumOf(path, checksum)) !== checksum) return name
  }
  return null
}
