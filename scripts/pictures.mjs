// node scripts/pictures.mjs URL [FOLDER] [settings]: takes the pictures of docs/web.md and docs/viz.md from a running service,
// in the light theme, in the dark theme and on a phone. The service needs the bundled sample as a recording with two topic
// runs, a few other recordings, a PDF among its documents, and a webhook with deliveries. `settings` takes those of the settings
// page only, for which a webhook is enough.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { root } from "./setup.mjs"

const [url, out = join(root, "docs/pictures"), part] = process.argv.slice(2)
if (!url) throw new Error("Usage: node scripts/pictures.mjs URL [FOLDER] [settings]")
const all = part !== "settings"
mkdirSync(out, { recursive: true })

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const WEBP_QUALITY = 0.8
/** How long an idle page takes to finish its transitions, and the map to place its labels. */
const SETTLE_MS = 900
const MAP_SETTLE_MS = 6000

const get = async (path) => (await fetch(url + path)).json()
const { clips } = await get("/clips?limit=200")
const clip = clips.find(({ topics }) => topics.some(({ title }) => title.includes("Honey Bees")))
const document = (await get("/documents")).documents.find((d) => d.name.endsWith(".pdf"))
if (all && !(clip && document)) throw new Error("The service needs the sample recording and a PDF among its documents.")
const { parts } = all ? await get(`/documents/${encodeURIComponent(document.id)}`) : {}
const bees = clip?.topics.find(({ title }) => title === "Honey Bees")

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-sync",
  ],
})

/** Saves a screenshot as WebP, which Chromium encodes. */
const save = async (page, name) => {
  const png = (await page.screenshot()).toString("base64")
  const encoder = await browser.newPage()
  const webp = await encoder.evaluate(
    async ([base64, quality]) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }))
      const canvas = Object.assign(globalThis.document.createElement("canvas"), {
        width: image.width,
        height: image.height,
      })
      canvas.getContext("2d").drawImage(image, 0, 0)
      return canvas.toDataURL("image/webp", quality).split(",")[1]
    },
    [png, WEBP_QUALITY],
  )
  writeFileSync(join(out, `${name}.webp`), Buffer.from(webp, "base64"))
  await encoder.close()
}

const openContext = (colorScheme, viewport) =>
  browser.newContext({ viewport, colorScheme, reducedMotion: "reduce", hasTouch: viewport === PHONE })

const openLibrary = async (page) => {
  await page.goto(url)
  await page.locator("li[data-clip]").first().waitFor()
}
const openRecording = async (page) => {
  await page.goto(`${url}/library/${clip.id}?t=62`)
  await page.locator("[data-now]").waitFor()
  // The waveform is computed when it is first requested.
  await page.waitForFunction(() => {
    const canvas = globalThis.document.querySelector("canvas")
    return canvas !== null && getComputedStyle(canvas).opacity !== "0"
  })
}
const openAction = async (page, name) => {
  await page.getByRole("button", { name: "More actions" }).click()
  await page.getByRole("menuitem", { name }).click()
  await page.getByRole("dialog").waitFor()
}
const openMap = async (page, query = "") => {
  await page.goto(`${url}/viz${query}`)
  await page.locator("canvas").first().waitFor()
  await page.waitForTimeout(MAP_SETTLE_MS)
}

/** Uploads the sample again, with extra bytes so that it is a new recording, and deletes the recording afterwards. */
const showUpload = async (page, take) => {
  const sample = readFileSync(join(root, "public/samples/three-subjects.flac"))
  const buffer = Buffer.concat([sample, Buffer.from(String(Date.now()))])
  await openLibrary(page)
  const [submitted] = await Promise.all([
    page.waitForResponse((r) => r.url().includes("/jobs/audio") && r.status() === 202, { timeout: 60_000 }),
    page.getByLabel("Choose recordings").setInputFiles({ name: "interview.flac", mimeType: "audio/flac", buffer }),
  ])
  const { job_id, session_id } = await submitted.json()
  await page.goto(`${url}/?job=${job_id}`)
  await page.getByRole("list", { name: "Stages" }).waitFor()
  await take("upload")
  await fetch(`${url}/jobs/${job_id}`, { method: "DELETE" })
  await fetch(`${url}/clips/${session_id}`, { method: "DELETE" })
}

/** Shows the engines, the webhooks, and the deliveries of the first one. */
const showSettings = async (page, take) => {
  await page.goto(`${url}/settings`)
  await page.getByRole("heading", { name: "Transcription" }).waitFor()
  await take("settings")
  await page.goto(`${url}/settings/webhooks`)
  await page.getByRole("heading", { name: "Webhooks" }).waitFor()
  await take("webhooks")
  await page
    .getByRole("button", { name: /^Deliveries to/ })
    .first()
    .click()
  await page.getByRole("dialog").waitFor()
  await take("deliveries")
}

/** Takes the pictures of the pages without the map. `tag` is the end of their names. */
const takePages = async (colorScheme, tag, viewport) => {
  const context = await openContext(colorScheme, viewport)
  const page = await context.newPage()
  const take = async (name) => {
    await page.waitForTimeout(SETTLE_MS)
    await save(page, `${name}-${tag}`)
  }
  if (!all) {
    await showSettings(page, take)
    await context.close()
    return
  }
  await openLibrary(page)
  await take("library")
  await openRecording(page)
  await take("recording")
  if (tag === "light") {
    await page
      .getByRole("slider", { name: /^Boundary between/ })
      .first()
      .focus()
    await page.keyboard.press("PageUp")
    await take("boundary")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Speakers", exact: true }).click()
    await take("speakers")
    await page.keyboard.press("Escape")
    await openAction(page, /^Compare runs/)
    await page.getByRole("row", { name: /Topics and subtopics/ }).waitFor()
    await take("compare")
  }
  if (tag === "dark") {
    await page.keyboard.press("Control+k")
    await page.keyboard.type("winter")
    await page.getByRole("option").nth(1).waitFor()
    await take("palette")
  }
  if (tag === "phone") {
    await openAction(page, /^Re-run/)
    await page.getByText("Transcript and topics").first().click()
    await take("rerun")
  }
  await page.goto(`${url}/ask`)
  await page.getByLabel("Question", { exact: true }).fill("What do the bees do in the winter?")
  await page.keyboard.press("Enter")
  await page.getByText(/Answered by/).waitFor()
  await take("ask")
  const part = parts.at(1) ?? parts[0]
  await page.goto(`${url}/ask/documents/${encodeURIComponent(document.id)}?part=${encodeURIComponent(part.id)}`)
  await page.getByRole("heading", { level: 1 }).waitFor()
  await take("document")
  await showSettings(page, take)
  await showCall(page)
  await take("docs")
  if (tag === "light") await showUpload(page, take)
  await context.close()
}

/** Fills in a call of the API reference and sends it. */
const showCall = async (page) => {
  await page.goto(`${url}/docs#listClips`)
  const section = page.locator("#listClips")
  await section.getByRole("button", { name: "Try it: listClips" }).click()
  await section.getByRole("textbox", { name: "limit" }).fill("2")
  for (const name of ["id", "title", "duration_s"])
    await section.getByRole("group", { name: "fields" }).getByText(name, { exact: true }).click()
  await section.getByRole("button", { name: "Send" }).click()
  await section.getByText("200 OK").waitFor()
  await section.evaluate((element) => element.scrollIntoView())
}

const takeMap = async (colorScheme, tag, viewport) => {
  const context = await openContext(colorScheme, viewport)
  const page = await context.newPage()
  if (tag === "light") {
    await openMap(page, `?topic=${clip.id}~${bees.number}`)
    await page.keyboard.press("t")
    await page.waitForTimeout(MAP_SETTLE_MS)
  } else await openMap(page)
  await save(page, `map-${tag}`)
  if (tag === "dark") {
    await page.keyboard.press("/")
    await page.keyboard.type("shape and color of the buttons")
    await page.getByRole("option").nth(1).waitFor()
    await page.waitForTimeout(MAP_SETTLE_MS)
    await save(page, "map-search-dark")
  }
  if (tag === "phone") {
    await openMap(page, `?topic=${clip.id}~${bees.number}`)
    await save(page, "map-topic-phone")
  }
  await context.close()
}

for (const [colorScheme, tag, viewport] of [
  ["light", "light", WIDE],
  ["dark", "dark", WIDE],
  ["dark", "phone", PHONE],
]) {
  await takePages(colorScheme, tag, viewport)
  if (all) await takeMap(colorScheme, tag, viewport)
}
await browser.close()
