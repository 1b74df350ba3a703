// node scripts/pictures.mjs URL [FOLDER]: photographs every page of a running service but the map, by day, by night and on
// a phone, for docs/web.md. Wants a library: a recording with a sound of its own, another few, and a PDF among documents.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { root } from "./setup.mjs"

const [url, out = join(root, "docs/pictures")] = process.argv.slice(2)
if (!url) throw new Error("which service? node scripts/pictures.mjs http://127.0.0.1:8000 [folder]")
mkdirSync(out, { recursive: true })

const get = async (path) => (await fetch(url + path)).json()
const { clips } = await get("/clips?limit=200")
const clip = clips.find((c) => c.file_path !== null)
const document = (await get("/documents")).documents.find((d) => d.name.endsWith(".pdf"))
if (!clip || !document) throw new Error("the library holds no recording with sound, or no PDF")
const { parts } = await get(`/documents/${encodeURIComponent(document.id)}`)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--disable-background-networking",
    "--disable-sync",
  ],
})

/** Chromium packs its own pictures as WebP. */
const save = async (page, name) => {
  const png = (await page.screenshot()).toString("base64")
  const packer = await browser.newPage()
  const webp = await packer.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }))
    const canvas = Object.assign(window.document.createElement("canvas"), { width: image.width, height: image.height })
    canvas.getContext("2d").drawImage(image, 0, 0)
    return canvas.toDataURL("image/webp", 0.86).split(",")[1]
  }, png)
  writeFileSync(join(out, `${name}.webp`), Buffer.from(webp, "base64"))
  await packer.close()
}

const still = (page) => page.waitForTimeout(900)

const shoot = async (colorScheme, tag, viewport) => {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    reducedMotion: "reduce",
    hasTouch: tag === "phone",
  })
  const page = await context.newPage()
  const take = async (name) => {
    await still(page)
    await save(page, `${name}-${tag}`)
  }
  await page.goto(url)
  await page.locator("li[data-clip]").first().waitFor()
  await take("library")
  if (tag !== "phone") {
    await page.keyboard.press("Control+k")
    await page.keyboard.type("winter")
    await page.getByRole("option").nth(1).waitFor()
    await take("palette")
    await page.keyboard.press("Escape")
  }
  await page.goto(`${url}/library/${clip.id}?t=62`)
  await page.locator("[data-now]").waitFor()
  // The loudness is made when it is first asked for.
  await page.waitForFunction(() => {
    const canvas = globalThis.document.querySelector("canvas")
    return canvas !== null && getComputedStyle(canvas).opacity !== "0"
  })
  await take("recording")
  await page.getByRole("button", { name: "More actions" }).click()
  await page.getByRole("menuitem", { name: /^Re-run/ }).click()
  await page.getByText("Transcript and topics").first().click()
  await take("again")
  await page.keyboard.press("Escape")
  if (tag !== "phone") {
    await page.getByRole("slider", { name: /^Boundary between/ }).focus()
    await page.keyboard.press("PageUp")
    await take("border")
    await page.keyboard.press("Escape")
  }
  await page.goto(`${url}/ask`)
  await page.getByLabel("Question", { exact: true }).fill("What do the bees do in the winter?")
  await page.keyboard.press("Enter")
  await page.getByText(/Answered by/).waitFor()
  await take("ask")
  await page.goto(
    `${url}/ask/documents/${encodeURIComponent(document.id)}?part=${encodeURIComponent(parts.at(1)?.id ?? parts[0].id)}`,
  )
  await page.getByRole("heading", { level: 1 }).waitFor()
  await take("document")
  await page.goto(`${url}/status`)
  await page.getByRole("heading", { name: "Engines" }).waitFor()
  await take("status")
  await page.goto(`${url}/docs`)
  await take("docs")
  await page.goto(`${url}/nowhere`)
  await take("nowhere")
  await context.close()
}

const wide = { width: 1440, height: 900 }
await shoot("light", "day", wide)
await shoot("dark", "night", wide)
await shoot("dark", "phone", { width: 390, height: 844 })
await browser.close()
