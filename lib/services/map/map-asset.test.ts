import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { getVizAsset } from "./map-asset.ts"

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "earmark-assets-"))
  const folder = join(root, "lib/map/assets")
  mkdirSync(join(folder, "nested"), { recursive: true })
  for (const name of ["style-0a1b2c3d.css", "sketch.webp", "data.bin", ".hidden.js", "nested/a.js", "../secret.txt"])
    writeFileSync(join(folder, name), name)
  symlinkSync(join(root, "lib/map/secret.txt"), join(folder, "link.txt"))
})
afterAll(() => rmSync(root, { recursive: true }))

const get = (...path: string[]) => getVizAsset({ root }, { path })
const textOf = async (name: string) => Buffer.from((await get(name)).body).toString()

describe("getVizAsset", () => {
  it("returns a file with its type and an ETag of its content", async () => {
    const [style, sketch] = [await get("style-0a1b2c3d.css"), await get("sketch.webp")]
    expect(style).toMatchObject({ type: "text/css; charset=utf-8", immutable: true })
    expect(sketch).toMatchObject({ type: "image/webp", immutable: false })
    expect(await textOf("sketch.webp")).toBe("sketch.webp")
    expect(style.etag).toMatch(/^"[\w-]{27}"$/)
    expect(style.etag).not.toBe(sketch.etag)
    expect((await get("sketch.webp")).etag).toBe(sketch.etag)
    expect((await get("data.bin")).type).toBe("application/octet-stream")
  })

  it("lists the files in a manifest", async () => {
    expect(await get("manifest.json")).toMatchObject({ type: "application/json", immutable: false })
    const { files } = JSON.parse(await textOf("manifest.json"))
    expect(files).toEqual(["data.bin", "sketch.webp", "style-0a1b2c3d.css"])
  })

  it.each([
    ["a hidden file", [".hidden.js"]],
    ["a file in a folder", ["nested", "a.js"]],
    ["a folder", ["nested"]],
    ["a link", ["link.txt"]],
    ["a file outside", ["..", "secret.txt"]],
    ["nothing", []],
  ])("does not find %s", async (_, path) => {
    const message = `no such file: /viz-assets/${path.join("/")}`
    await expect(get(...path)).rejects.toMatchObject({ status: 404, message })
  })
})
