import type { Page } from "playwright-core"
import { describe, expect, vi } from "vitest"
import { openPage, picture, type Watch, WINDOW } from "./helpers.ts"
import { addSample, addWords, sampleWords } from "./library-helpers.ts"
import { drawAround, waitForStableLabels } from "./map-helpers.ts"
import { it } from "./shared-service.ts"

/** Uses the built service, real recordings and real input. */
describe("map page of a service", () => {
  /** All tests use the same page, which draws the map once. */
  let page: Page
  let watch: Watch
  let url: string
  let boat: string

  type Data = { total_topics: number; total_clips: number; points: { clip_id: string; number: string }[] }
  const data = async () => (await (await fetch(`${url}/viz/data`)).json()) as Data

  it.beforeAll(async ({ service, browser }) => {
    url = service.url
    boat = await addSample(service.url, "A boat, bees and a comet")
    const words = sampleWords()
    const part = (from: number, to: number) => {
      const some = words.slice(Math.floor(from * words.length), Math.floor(to * words.length))
      return some.map((w) => ({ ...w, start: w.start - some[0]!.start, end: w.end - some[0]!.start }))
    }
    await addWords(service.url, "The boat again", part(0, 0.66))
    await addWords(service.url, "Bees once more", part(0.34, 1))
    await vi.waitUntil(async () => (await data()).total_clips === 3, { timeout: 30_000 })
    ;({ page, watch } = await openPage(browser, service.url, { acceptDownloads: true, reducedMotion: "reduce" }))
    await page.goto(`${service.url}/viz`)
    await waitForStableLabels(page)
  })

  const collection = () => page.getByRole("complementary", { name: "Collected topics" })
  const heading = () => collection().getByRole("heading").textContent()

  it("collects all topics with a lasso, exports them as CSV, then collects some", async () => {
    const { total_topics, total_clips } = await data()
    await page.keyboard.press("l")
    await page.getByRole("button", { name: "Cancel lasso (L)" }).waitFor()
    await drawAround(page, { left: 385, top: 8, right: 1370, bottom: 892 })
    await collection().waitFor()
    expect(await heading()).toBe(`${total_topics} topics from ${total_clips} recordings`)
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      collection().getByRole("button", { name: "CSV" }).click(),
    ])
    const stream = await saved.createReadStream()
    let table = ""
    for await (const chunk of stream) table += chunk
    expect(table.trim().split("\r\n")).toHaveLength(total_topics + 1)
    await page.getByRole("button", { name: "Clear collection" }).click()
    await waitForStableLabels(page)
    // A small area around a labeled topic.
    const label = await page.locator(".map-label").first().boundingBox()
    await page.getByRole("button", { name: "Collect topics with the lasso (L)" }).click()
    const middle = label!.y + label!.height / 2
    await drawAround(page, {
      left: label!.x - 30,
      top: middle - 30,
      right: label!.x + label!.width + 30,
      bottom: middle + 30,
    })
    await collection().waitFor()
    const some = Number.parseInt((await heading()) ?? "", 10)
    expect(some).toBeGreaterThan(0)
    expect(some).toBeLessThan(total_topics)
    await page.keyboard.press("Escape")
    await collection().waitFor({ state: "detached" })
  })

  it("saves an image with points, labels and a legend", async () => {
    await waitForStableLabels(page)
    const label = await page.locator(".map-label").first().boundingBox()
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as image (P)" }).click(),
    ])
    expect(saved.suggestedFilename()).toBe("map.png")
    const chunks: Buffer[] = []
    for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer)
    const png = Buffer.concat(chunks)
    expect(png.subarray(1, 4).toString()).toBe("PNG")
    const seen = await page.evaluate(
      async ({ base64, label, width, height }) => {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
        const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }))
        const to = new OffscreenCanvas(image.width, image.height).getContext("2d")!
        to.drawImage(image, 0, 0)
        const colors = (x: number, y: number, w: number, h: number) => {
          const { data } = to.getImageData(x, y, w, h)
          const out = new Set<string>()
          let bright = 0
          let coloured = 0
          for (let i = 0; i < data.length; i += 4) {
            const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!]
            out.add(`${r},${g},${b}`)
            if (Math.min(r, g, b) > 170) bright++
            if (Math.max(r, g, b) - Math.min(r, g, b) > 60) coloured++
          }
          return { different: out.size, bright, coloured }
        }
        return {
          size: [image.width, image.height],
          all: colors(0, 0, image.width, image.height),
          // The image starts to the right of the list and ends at the right edge of the page.
          name: colors(label.x - (width - image.width), label.y, label.width, label.height),
          key: colors(0, height, image.width, image.height - height),
        }
      },
      { base64: png.toString("base64"), label: label!, ...WINDOW },
    )
    expect(seen.size[0]).toBeLessThan(WINDOW.width - 300)
    expect(seen.size[1]).toBeGreaterThan(WINDOW.height)
    expect(seen.all.coloured).toBeGreaterThan(500)
    expect(seen.name.bright).toBeGreaterThan(20)
    expect(seen.key.bright).toBeGreaterThan(20)
    expect(seen.key.coloured).toBeGreaterThan(20)
  })

  it("plays a topic from its start and follows in the transcript", async () => {
    const topic = (await data()).points.find((p) => p.clip_id === boat && p.number.split(".").length === 2)!
    const { start_s } = topic as typeof topic & { start_s: number }
    await page.goto(`${url}/viz?topic=${boat}~${topic.number}`)
    const drawer = page.getByRole("complementary", { name: "Topic", exact: true })
    const position = drawer.getByRole("slider", { name: "Playback position" })
    await position.waitFor()
    const second = async () => Number(await position.getAttribute("aria-valuenow"))
    await expect.poll(second).toBe(Math.floor(start_s))
    await drawer.getByRole("button", { name: "Play", exact: true }).click()
    await expect.poll(second, { timeout: 15_000 }).toBeGreaterThan(start_s + 1)
    await drawer.locator("[data-now]").waitFor()
    await picture(page, "map-service-drawer")
    await drawer.getByRole("button", { name: "Pause" }).click()
    await page.keyboard.press("Escape")
    await drawer.waitFor({ state: "detached" })
  })

  it("navigates groups, recordings and topics of the list by keyboard", async () => {
    await page.goto(`${url}/viz?colour=cluster`)
    const tree = page.getByRole("tree", { name: "Topics on the map" })
    await tree.focus()
    const level = async () =>
      page.locator(`#${await tree.getAttribute("aria-activedescendant")}`).getAttribute("aria-level")
    const clip = page.locator("[role=treeitem][aria-level='2'][aria-expanded]").first()
    await clip.waitFor()
    while ((await level()) !== "3") await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowLeft")
    expect(await level()).toBe("2")
    const before = await page.getByRole("treeitem").count()
    await page.keyboard.press("ArrowLeft")
    await expect.poll(() => page.getByRole("treeitem").count()).toBeLessThan(before)
    await page.keyboard.press("ArrowLeft")
    expect(await level()).toBe("1")
    await page.keyboard.press("*")
    await page.getByRole("button", { name: "Collapse all" }).click()
    expect(await page.locator("[role=treeitem][aria-level='2']").count()).toBe(0)
    await page.getByRole("button", { name: "Expand all" }).click()
    await expect.poll(() => page.getByRole("treeitem").count()).toBe(before)
  })

  it("sends no request to other origins and logs no error", () => {
    expect(watch.foreign).toEqual([])
    expect(watch.errors).toEqual([])
  })
})
