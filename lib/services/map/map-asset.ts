import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { AppError } from "../../domain/errors.ts"

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
}
const MANIFEST = "manifest.json"
/** A file whose name contains a content hash never changes. */
const HASHED_NAME = /[.-][0-9a-f]{8,}\.\w+$/

export type Asset = {
  readonly body: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly etag: string
  readonly immutable: boolean
}

const createAsset = (name: string, body: Uint8Array<ArrayBuffer>): Asset => ({
  body,
  type: TYPES[extname(name)] ?? "application/octet-stream",
  etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`,
  immutable: HASHED_NAME.test(name),
})

/**
 * Returns a file of the assets folder of the map, or the manifest that lists these files. Only names in the folder's own
 * listing are opened, so a path cannot leave the folder.
 * @throws AppError `not_found`
 */
export const getVizAsset = async (
  { root }: { readonly root: string },
  { path }: { readonly path: readonly string[] },
): Promise<Asset> => {
  const folder = join(root, "lib/map/assets")
  const name = path.join("/")
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith(".") && entry.name !== MANIFEST)
    .map((entry) => entry.name)
  if (name === MANIFEST) return createAsset(MANIFEST, Buffer.from(JSON.stringify({ files: files.sort() })))
  if (!files.includes(name)) throw new AppError("not_found", `no such file: /viz-assets/${name}`)
  return createAsset(name, Buffer.from(await readFile(join(folder, name))))
}
