import { describe, expect } from "vitest"
import { eventually, picture } from "./helpers.ts"
import { addSample, addWords, expectAccessible, sampleWords } from "./library-helpers.ts"
import { readSecond } from "./recording-page.ts"
import { it } from "./shared-service.ts"

/** A recording with audio that tests only read. */
let boat: string
/** A recording without audio that tests only read. */
let withoutAudio: string

it.beforeAll(async ({ service }) => {
  boat = await addSample(service.url, "A boat, bees and a comet")
  withoutAudio = await addWords(service.url, "Second telling", sampleWords())
})

describe("the library", () => {
  it("shows recordings as cards and as a table, and passes axe in both", async ({ page }) => {
    await page.goto("/")
    for (const id of [boat, withoutAudio]) await page.locator(`[data-clip="${id}"]`).waitFor()
    expect(await page.locator(`[data-clip="${boat}"]`).textContent()).toContain("2 speakers")
    await expectAccessible(page)
    await picture(page, "library")
    for (const layout of ["Table", "Timeline"]) {
      await page.getByRole("button", { name: layout, exact: true }).click()
      await page.locator(`div[data-clip="${boat}"]`).waitFor()
      await expectAccessible(page)
      await picture(page, `library-${layout.toLowerCase()}`)
    }
    await page.reload()
    await page.locator(`div[data-clip="${boat}"]`).waitFor()
    await page.getByRole("button", { name: "Cards", exact: true }).click()
    await page.locator(`article[data-clip="${boat}"]`).waitFor()
  })
  it("has the first recordings in the HTML of the server", async ({ service }) => {
    const html = await (await fetch(service.url)).text()
    expect(html).toContain(`data-clip="${boat}"`)
    expect(html).not.toContain("transcription")
  })
  it("tags several recordings by keyboard, filters by the tag, and keeps the filter in the address", async ({
    page,
  }) => {
    // The rows are in the HTML before the page handles keys.
    await page.goto("/", { waitUntil: "networkidle" })
    await page.locator(`[data-clip="${boat}"]`).waitFor()
    const shown = await page.locator("[data-clip]").count()
    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key)
    const bar = page.getByRole("region", { name: "Selected recordings" })
    await bar.getByText("2 selected").waitFor()
    await expectAccessible(page)
    await bar.getByRole("button", { name: "Tag", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Tags" })
    await dialog.getByLabel("Find or add a tag").fill("Field trip")
    await page.keyboard.press("Enter")
    await dialog.getByRole("button", { name: "Field trip", pressed: true }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Clear the selection" }).click()
    await page.getByRole("button", { name: "Tag", exact: true }).click()
    await page.getByRole("menuitem", { name: "Field trip" }).click()
    await page.getByRole("button", { name: "Remove the filter Tag: Field trip" }).waitFor()
    await eventually(() => page.locator("[data-clip]").count()).toBe(2)
    expect(new URL(page.url()).searchParams.get("tag")).toBe("Field trip")
    await page.reload()
    await eventually(() => page.locator("[data-clip]").count()).toBe(2)
    await page.getByRole("button", { name: "Remove the filter Tag: Field trip" }).click()
    await eventually(() => page.locator("[data-clip]").count()).toBe(shown)
    expect(new URL(page.url()).search).toBe("")
  })
  it("finds spoken words and opens the recording at their second", async ({ page }) => {
    await page.goto("/")
    await page.getByRole("searchbox").fill("comet")
    const said = page.locator('a[href*="?t="]:has(span:not([class]) mark)').first()
    await said.waitFor()
    expect(new URL(page.url()).searchParams.get("q")).toBe("comet")
    expect(await said.locator("mark").first().textContent()).toMatch(/comet/i)
    await expectAccessible(page)
    await picture(page, "library-search")
    await said.click()
    await page.waitForURL(/\/library\/.+\?t=/)
    const wanted = Number(new URL(page.url()).searchParams.get("t"))
    await page.locator("[data-now]").waitFor()
    expect(await readSecond(page)).toBe(Math.floor(wanted))
  })
  it("renames a recording, and deletes it with an undo", async ({ page, service }) => {
    const id = await addWords(service.url, "Another telling", sampleWords())
    await page.goto("/")
    const card = page.locator(`[data-clip="${id}"]`)
    await card.getByRole("button", { name: /^Actions for/ }).click()
    await page.getByRole("menuitem", { name: "Rename" }).click()
    await page.getByLabel("Title", { exact: true }).fill("Third telling")
    await page.keyboard.press("Enter")
    await card.getByRole("link", { name: "Third telling" }).waitFor()
    await card.getByRole("button", { name: /^Actions for/ }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await card.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Undo" }).click()
    await card.waitFor()
    expect((await fetch(`${service.url}/clips/${id}`)).status).toBe(200)
  })
  it("shows a recording that another client adds while the library is open", async ({ page, service }) => {
    await page.goto("/")
    await page.locator(`[data-clip="${boat}"]`).waitFor()
    const other = await addWords(service.url, "From elsewhere", sampleWords())
    const card = page.locator(`[data-clip="${other}"]`)
    await card.waitFor({ timeout: 60_000 })
    await fetch(`${service.url}/clips/${other}`, { method: "DELETE" })
  })
})

describe("deleting", () => {
  it("deletes a recording for good when the page is left, and not before", async ({ page, service }) => {
    const doomed = await addWords(service.url, "Soon gone", sampleWords())
    await page.goto("/")
    const card = page.locator(`[data-clip="${doomed}"]`)
    await card.getByRole("button", { name: /^Actions for/ }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await card.waitFor({ state: "detached" })
    expect((await fetch(`${service.url}/clips/${doomed}`)).status).toBe(200)
    await page.goto("about:blank")
    await eventually(async () => (await fetch(`${service.url}/clips/${doomed}`)).status).toBe(404)
  })
  it("tells that a recording was deleted elsewhere, and keeps the text that is being entered", async ({
    page,
    service,
  }) => {
    const doomed = await addWords(service.url, "Gone elsewhere", sampleWords().slice(0, 60))
    await page.goto(`/library/${doomed}`)
    await page.getByRole("button", { name: "Rename recording" }).click()
    const title = page.getByLabel("Title", { exact: true })
    await title.fill("Gone already")
    expect((await fetch(`${service.url}/clips/${doomed}`, { method: "DELETE" })).status).toBe(204)
    await page.keyboard.press("Enter")
    await page.getByText("This recording was deleted", { exact: true }).waitFor()
    expect(await title.inputValue()).toBe("Gone already")
    await expectAccessible(page)
    await picture(page, "deleted-elsewhere")
  })
})

describe("the palette", () => {
  it("opens recordings and pages from the palette by keyboard", async ({ page }) => {
    await page.goto("/")
    await page.locator("[data-clip]").first().waitFor()
    await page.keyboard.press("Control+k")
    const field = page.getByRole("combobox")
    await field.waitFor()
    await page.keyboard.type("honey")
    await page.getByRole("option").filter({ hasText: "0:5" }).first().waitFor()
    await expectAccessible(page)
    await picture(page, "palette")
    await page.keyboard.press("Escape")
    await field.waitFor({ state: "detached" })
    await page.keyboard.press("Control+k")
    await field.waitFor()
    await page.keyboard.type("sett")
    await page.keyboard.press("Enter")
    await page.waitForURL("/settings")
  })
  it("keeps the keys that are typed while its script loads", async ({ page }) => {
    await page.goto("/", { waitUntil: "networkidle" })
    await page.locator(`[data-clip="${boat}"]`).waitFor()
    // The script of the palette is held until everything is typed.
    let go = () => {}
    const typed = new Promise<void>((resolve) => (go = resolve))
    await page.route("**/_next/static/chunks/**", async (route) => {
      await typed
      await route.continue()
    })
    await page.keyboard.press("Control+k")
    await page.keyboard.type("settx")
    await page.keyboard.press("Backspace")
    go()
    const field = page.getByRole("combobox")
    await field.waitFor()
    await page.keyboard.type("ings")
    await eventually(() => field.inputValue()).toBe("settings")
    await page.keyboard.press("Enter")
    await page.waitForURL("/settings")
  })
})
