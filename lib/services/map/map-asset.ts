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
/** A name that carries a hash of its content never means anything else. */
const HASHED = /[.-][0-9a-f]{8,}\.\w+$/

export type Asset = {
  readonly body: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly etag: string
  readonly immutable: boolean
}

const asset = (name: string, body: Uint8Array<ArrayBuffer>): Asset => ({
  body,
  type: TYPES[extname(name)] ?? "application/octet-stream",
  etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`,
  immutable: HASHED.test(name),
})

/**
 * A file of the map's assets folder, or the manifest that lists them. Only a name that the folder itself lists is
 * opened, so no spelling of a path leads out of it.
 * @throws AppError `not_found`
 */
export const getVizAsset = async (
  { root }: { readonly root: string },
  { path }: { readonly path: readonly string[] },
): Promise<Asset> => {
  const folder = join(root, "lib/map/assets")
  const name = path.join("/")
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((e) => e.isFile() && !e.name.startsWith(".") && e.name !== MANIFEST).map((e) => e.name)
  if (name === MANIFEST) return asset(MANIFEST, Buffer.from(JSON.stringify({ files: files.sort() })))
  if (!files.includes(name)) throw new AppError("not_found", `no such file: /viz-assets/${name}`)
  return asset(name, Buffer.from(await readFile(join(folder, name))))
}
