import { describe, expect } from "vitest"
import { expectQuiet, openPage, picture } from "./helpers.ts"
import { addSample, addWords, expectAccessible, rerunTopics, SAMPLE, sampleWords } from "./library-helpers.ts"
import { openNewRecording, openRecording, positionOf, readSecond, seekToStart, transcriptOf } from "./recording-page.ts"
import { it } from "./shared-service.ts"

/** A recording with audio that tests only read. */
let boat: string
/** A recording without audio that tests only read. */
let withoutAudio: string

it.beforeAll(async ({ service }) => {
  boat = await addSample(service.url, "A boat, bees and a comet")
  withoutAudio = await addWords(service.url, "Second telling", sampleWords())
})

describe("the recording page", () => {
  it("plays from the topic or word that is clicked, and highlights the spoken word", async ({ page }) => {
    await openRecording(page, boat)
    await page.waitForFunction(() => {
      const canvas = document.querySelector("canvas")
      return canvas !== null && getComputedStyle(canvas).opacity !== "0"
    })
    await expectAccessible(page)
    await picture(page, "recording")
    // "New topic at 0:00" is no topic.
    const topicAt = (time: string) =>
      page.getByRole("region", { name: "Topics" }).getByRole("button", { name: new RegExp(`^(?!New topic).*${time}`) })
    await topicAt("0:51").first().click()
    expect(await readSecond(page)).toBe(51)
    const current = page.getByRole("region", { name: "Topics" }).locator("[aria-current]")
    expect(await current.textContent()).toContain("0:51")
    // A click on the current topic scrolls back to it.
    const first = topicAt("0:00").first()
    await first.click()
    await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight }))
    await first.click()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(200)
    await topicAt("0:51").first().click()
    await page.getByRole("button", { name: "Play" }).click()
    await page.getByRole("button", { name: "Pause" }).waitFor()
    await page.waitForFunction(
      () => Number(document.querySelector("[role=slider]")?.getAttribute("aria-valuenow")) > 52,
    )
    expect(await page.locator("[data-now]").count()).toBe(1)
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Pause" }).click()
    await seekToStart(page)
    // Words become elements when the pointer is near.
    await transcriptOf(page).locator("p").first().hover()
    await page.locator("[data-w='10']").click()
    expect(await page.locator("[data-now]").getAttribute("data-w")).toBe("10")
    await positionOf(page).focus()
    await page.keyboard.press("PageDown")
    expect(await readSecond(page)).toBe(51)
  })
  it("goes on playing in a dock when another page is opened, and lists its keys", async ({ page }) => {
    await openRecording(page, boat)
    await page.getByRole("button", { name: "Play" }).click()
    await page.getByRole("button", { name: "Pause" }).waitFor()
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Ask" }).click()
    const dock = page.getByRole("region", { name: "Now playing" })
    await dock.waitFor()
    await expect.poll(() => page.evaluate(() => document.querySelector("audio")!.paused)).toBe(false)
    expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe("A boat, bees and a comet")
    await dock.getByRole("link").click()
    await page.getByRole("button", { name: "Pause" }).click()
    await expect.poll(() => dock.count()).toBe(0)
    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Play or pause").waitFor()
    await page.keyboard.press("Escape")
  })
  it("searches the transcript from hit to hit", async ({ page }) => {
    await openRecording(page, boat)
    await page.keyboard.press("/")
    await page.keyboard.insertText("honey bee")
    const status = page.getByRole("search").getByRole("status")
    await page.locator("[data-found='now']").first().waitFor()
    const total = Number(/of (\d+)/.exec((await status.textContent()) ?? "")?.[1])
    expect(total).toBeGreaterThan(2)
    await page.keyboard.press("Enter")
    expect(await status.textContent()).toBe(`2 of ${total}`)
    await page.keyboard.press("Escape")
  })
  it("copies a link to the current second, and shows how the recording was processed", async ({ page }) => {
    await openRecording(page, boat)
    await page.getByRole("button", { name: "Share" }).click()
    await page.getByRole("menuitem", { name: /to current time/ }).click()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(new RegExp(`/library/${boat}(\\?t=\\d+)?$`))
    await page.getByRole("button", { name: "More actions" }).click()
    await page.getByRole("menuitem", { name: "Processing details" }).click()
    const dialog = page.getByRole("dialog", { name: "Processing details" })
    await dialog.getByText("Adding topics to the map").waitFor()
    expect(await dialog.textContent()).toContain("Built-in")
    await dialog.getByText(SAMPLE).waitFor()
    expect(await page.locator('meta[property="og:title"]').getAttribute("content")).toBe("A boat, bees and a comet")
    await expectAccessible(page)
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
  })
  it("shares a topic by a link that shows and plays only the topic, until it is revoked", async ({
    page,
    browser,
    service,
  }) => {
    await openRecording(page, boat)
    await page.getByRole("button", { name: "Share" }).click()
    await page.getByRole("menuitem", { name: "Share with others" }).click()
    const dialog = page.getByRole("dialog", { name: "Share with others" })
    const titles = (await dialog.getByRole("combobox").locator("option").allTextContents()).slice(1)
    await dialog.getByRole("combobox").selectOption({ index: 2 })
    await dialog.getByRole("button", { name: "Create and copy link" }).click()
    await dialog.getByText("not opened yet").waitFor()
    await expectAccessible(page)
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const visitor = await openPage(browser, service.url, { colorScheme: "light" })
    await visitor.page.goto(link)
    const heading = (await visitor.page.getByRole("heading", { level: 1 }).textContent())!
    expect(titles[1]).toContain(heading)
    await visitor.page
      .getByRole("button", { name: /^Play from/ })
      .last()
      .click()
    await visitor.page.waitForFunction(() => document.querySelector("audio")!.currentTime > 1)
    await visitor.page.locator(".turn.current").waitFor()
    await expectAccessible(visitor.page)
    await dialog.getByRole("button", { name: /^Revoke/ }).click()
    await dialog.getByRole("button", { name: /^Revoke/ }).waitFor({ state: "detached" })
    expect((await visitor.page.goto(link))!.status()).toBe(404)
    await visitor.page.context().close()
    expectQuiet(visitor.watch, /404/)
  })
  it("runs the topic stages again, and compares the runs", async ({ page, service }) => {
    const id = await openNewRecording(page, service, "Runs")
    await page.getByRole("button", { name: "More actions" }).click()
    await page.getByRole("menuitem", { name: /^Re-run/ }).click()
    await page.getByRole("button", { name: "Re-run topics" }).click()
    await page.getByText("The job is queued").waitFor()
    await page.getByRole("button", { name: "Done" }).click()
    await expect
      .poll(async () => ((await (await fetch(`${service.url}/clips/${id}/runs`)).json()) as { runs: [] }).runs.length, {
        timeout: 30_000,
      })
      .toBe(2)
    // This run has subtopics.
    await rerunTopics(service.url, id, { min_subdivide_duration_s: 20 })
    await page.reload()
    await page.getByRole("button", { name: "More actions" }).click()
    await page.getByRole("menuitem", { name: /^Compare runs/ }).click()
    const dialog = page.getByRole("dialog", { name: "Compare runs" })
    const parts = dialog.getByRole("row", { name: /Topics and subtopics/ }).getByRole("cell")
    await parts.first().waitFor()
    const [same, moved, fresh] = await parts.allTextContents()
    expect([same, moved, Number(fresh) > 0]).toEqual(["2", "0", true])
    await dialog.getByText("Added", { exact: true }).waitFor()
    const names = await dialog.getByLabel("Before").locator("option").allTextContents()
    expect(names[0]).toMatch(/^3: Built-in · subtopics from 20 s · /)
    expect(new Set(names).size).toBe(3)
    await expectAccessible(page)
    await picture(page, "compare")
    await page.keyboard.press("Escape")
  })
  it("says when a clip has no audio, and when there is no such recording", async ({ page }) => {
    await page.goto(`/library/${withoutAudio}`)
    await page.getByText("This recording has no audio").waitFor()
    expect(await page.getByRole("button", { name: "Play" }).count()).toBe(0)
    await page.goto("/library/nobody")
    await page.getByRole("heading", { name: "Recording not found" }).waitFor()
    await expectAccessible(page)
  })
  it("keeps working when a part of the page cannot be loaded, and loads it on a retry", async ({ page }) => {
    await openRecording(page, boat)
    const chunks = /\/_next\/static\/chunks\//
    // First the chunk is missing, as after an upgrade; then the service does not answer.
    await page.route(chunks, (route) => route.fulfill({ status: 404 }))
    await page.getByRole("button", { name: "Export" }).click()
    await page.getByText(/Couldn't open the menu. Earmark was updated after/).waitFor()
    await page.unroute(chunks)
    await page.route(chunks, (route) => route.abort())
    await page.getByRole("button", { name: "Export" }).click()
    await page.getByText(/Couldn't open the menu. Earmark isn't responding/).waitFor()
    await page.getByRole("button", { name: "Speakers", exact: true }).click()
    await page.getByText("Couldn't load this part of the page", { exact: true }).waitFor()
    expect(await transcriptOf(page).locator("p").count()).toBeGreaterThan(0)
    await expectAccessible(page)
    await picture(page, "part-missing")
    await page.unroute(chunks)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("dialog", { name: "Speakers" }).waitFor()
    await page.keyboard.press("Escape")
  })
})
