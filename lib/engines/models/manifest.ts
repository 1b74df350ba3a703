import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as z from "zod"
import type { ModelFile } from "./catalog.ts"
import { computeChecksum } from "./download.ts"

/** Lists the files of a downloaded model with their sizes and checksums. Stored in the model's folder. */
const MANIFEST = "manifest.json"
const manifestSchema = z.object({
  files: z.array(z.object({ name: z.string(), bytes: z.number(), checksum: z.string() })),
})

export type ManifestFile = { readonly name: string; readonly bytes: number | null; readonly checksum: string | null }

export const writeManifest = (folder: string, files: readonly ManifestFile[]): Promise<void> =>
  writeFile(join(folder, MANIFEST), `${JSON.stringify({ files }, null, 2)}\n`)

/**
 * Returns the expected files: those of the manifest, else those of the catalog. A broken manifest disables the check.
 */
const expectedFiles = async (folder: string, inCatalog: readonly ModelFile[]): Promise<readonly ManifestFile[]> => {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => null)
  if (text === null) return inCatalog.map(({ name, bytes, sha256 }) => ({ name, bytes, checksum: sha256 }))
  try {
    return manifestSchema.parse(JSON.parse(text)).files
  } catch {
    return []
  }
}

/** Returns the name of the first file that is missing or has a wrong size or checksum, or null. */
export const findDamagedFile = async (folder: string, inCatalog: readonly ModelFile[]): Promise<string | null> => {
  for (const { name, bytes, checksum } of await expectedFiles(folder, inCatalog)) {
    const path = join(folder, name)
    const size = await stat(path).then(
      (s) => s.size,
      () => null,
    )
    if (size === null || (bytes !== null && size !== bytes)) return name
    if (checksum !== null && (await computeChecksum(path, checksum)) !== checksum) return name
  }
  return null
}
