import type { Locator, Page } from "playwright-core"
import { describe, expect } from "vitest"
import { dropFile, eventually, picture, WINDOW } from "./helpers.ts"
import { addSample, expectAccessible, sampleWords } from "./library-helpers.ts"
import { it } from "./shared-service.ts"

/** A document of several portions, whose last words are far below the window. */
const HIVES = [
  "# Hives",
  "## Places",
  "The **white** box stands by the old pear tree. <script>alert(1)</script>",
  "| Box | Frames |\n|---|---|\n| white | 9 |",
  ...Array.from({ length: 300 }, (_, i) => `Day ${i + 1}. Nectar comes from the willows and the maples.`),
  "## Winter",
  "The bees rest.",
].join("\n\n")

it.beforeAll(async ({ service }) => {
  await addSample(service.url, "A boat, bees and a comet")
})

describe("the question page", () => {
  it("answers from a dropped document, whose page shows the cited passage, and the list deletes it", async ({
    page,
  }) => {
    await page.goto("/ask")
    await page.getByText("No documents yet.").waitFor()
    await dropFile(page, Buffer.from(HIVES), "hives.md", "text/markdown")
    await page.getByRole("link", { name: /hives\.md/ }).waitFor()
    await page.getByLabel("Question", { exact: true }).fill("Where does the white box stand?")
    await page.keyboard.press("Enter")
    await page.getByText(/Answered by/).waitFor()
    await expectAccessible(page)
    await picture(page, "ask")
    await page
      .getByRole("link", { name: /^Source 1/ })
      .first()
      .click()
    await page.waitForURL(/\/documents\/.+#passage-0$/)
    await page.getByRole("heading", { name: "Hives", level: 1 }).waitFor()
    await page.locator("mark[data-passage]", { hasText: "old pear tree" }).waitFor()
    expect(await page.locator("table").getByRole("columnheader").allTextContents()).toEqual(["Box", "Frames"])
    // The end of the document is not loaded yet.
    const winter = page.getByRole("heading", { name: "Winter" })
    expect(await winter.count()).toBe(0)
    await expectAccessible(page)
    await page.keyboard.press("/")
    await page.keyboard.type("bees rest")
    await page.getByText("1 found").waitFor()
    await page.keyboard.press("Enter")
    await page.locator("mark[data-now]", { hasText: "bees rest" }).waitFor()
    await winter.waitFor()
    const address = page.url()
    // The same address has the document as JSON, and a page that says so if there is none.
    const json = await page.request.get(address, { headers: { accept: "*/*" } })
    expect(await json.json()).toMatchObject({ title: "Hives", state: "kept", format: "markdown" })
    const missing = await page.request.get("/documents/nobody", { headers: { accept: "text/html" } })
    expect([missing.status(), await missing.text()]).toEqual([404, expect.stringContaining("Page not found")])
    await page.goBack()
    const asked = page.getByRole("article", { name: "Where does the white box stand?" })
    await asked.getByText(/Answered by/).waitFor()
    await page.reload()
    await asked.getByText(/Answered by/).waitFor()
    await expectAccessible(page)
    await page.getByRole("button", { name: "New conversation" }).click()
    await asked.waitFor({ state: "detached" })
    await page.getByLabel("Question", { exact: true }).fill("Who won the football world cup?")
    await page.keyboard.press("Enter")
    await page.getByText("The answer is not in the recordings and documents.").waitFor()
    await page.getByText(/^Closest matches \(\d+\)$/).click()
    await page.getByText(/^Searched 1 recording and 1 document\.$/).waitFor()
    await page.getByRole("link", { name: "All documents" }).click()
    const row = page.getByRole("list", { name: "Documents" }).getByRole("link", { name: "Hives" })
    await row.waitFor()
    await page.getByLabel("Search names and titles").fill("absent")
    await page.getByText("No document matches.").waitFor()
    expect(page.url()).toMatch(/\/documents\?q=absent$/)
    await page.getByLabel("Search names and titles").fill("")
    await expectAccessible(page)
    const remove = async () => {
      await page.getByRole("button", { name: /^Actions for .*hives\.md$/ }).click()
      await page.getByRole("menuitem", { name: "Delete" }).click()
      await page.getByText("No documents yet.").waitFor()
    }
    await remove()
    await page.getByRole("button", { name: "Undo" }).click()
    await row.waitFor()
    await remove()
    // Leaving the page carries the deletion out.
    await page.goto("/ask")
    await page.getByText("No documents yet.").waitFor()
    expect((await page.request.get(address, { headers: { accept: "*/*" } })).status()).toBe(404)
  })
})

describe("a question about a recording", () => {
  it("cites the second of the sentence, not of the chunk", async ({ page }) => {
    await page.goto("/ask")
    await page.getByLabel("Question", { exact: true }).fill("What do the bees do in the winter?")
    await page.keyboard.press("Enter")
    const article = page.getByRole("article", { name: "What do the bees do in the winter?" })
    await article.getByText(/Answered by/).waitFor()
    const quoted = ((await article.locator("p bdi").first().textContent()) ?? "").trim()
    await article
      .getByRole("link", { name: /^Source \d/ })
      .first()
      .click()
    await page.waitForURL(/\/library\/.+\?t=/)
    const t = Number(new URL(page.url()).searchParams.get("t"))
    const words = sampleWords()
    const said = words.filter((w) => w.start >= t - 0.01).map((w) => w.word)
    expect(quoted.split(" ").length).toBeGreaterThan(4)
    expect(said.slice(0, 4)).toEqual(quoted.split(" ").slice(0, 4))
    const position = page.getByRole("slider", { name: "Playback position" })
    await position.waitFor()
    await eventually(async () => Number(await position.getAttribute("aria-valuenow"))).toBe(Math.floor(t))
  })
})

describe("a saved conversation", () => {
  it("asks about what is chosen with @, understands follow-ups, and is found, renamed, deleted and restored", async ({
    page,
  }) => {
    const field = page.getByLabel("Question", { exact: true })
    const ask = async (question: string) => {
      await field.fill(question)
      await page.keyboard.press("Enter")
      const article = page.getByRole("article", { name: question })
      await article.getByText(/Answered by/).waitFor()
      return article
    }
    await page.goto("/ask")
    await page
      .getByRole("button", { name: /^What is said about / })
      .first()
      .waitFor()
    await field.fill("@boat")
    const option = page.getByRole("option", { name: "A boat, bees and a comet Recording" })
    await option.waitFor()
    await expectAccessible(page)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Remove A boat, bees and a comet" }).waitFor()
    expect(await field.inputValue()).toBe("")

    const first = await ask("What do the bees do in the winter?")
    await first.getByRole("heading", { name: "What was found" }).waitFor()
    await first.getByRole("list", { name: "Only in" }).getByText("A boat, bees and a comet").waitFor()
    const second = await ask("And why?")
    await second.getByText("Searched for “And why: bees winter”").waitFor()
    await second
      .getByRole("link", { name: /^Source \d/ })
      .first()
      .focus()
    await second.getByRole("button", { name: "Play from here" }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press("Escape")
    await second.getByRole("button", { name: "Save as note" }).click()
    await page.getByText("Saved as a note").waitFor()

    const threads = page.getByRole("list", { name: "Conversations" })
    const row = threads.getByRole("button", { name: /^What do the bees do in the winter\? 2 questions/ })
    await row.waitFor()
    await threads.getByRole("button", { name: "Actions for What do the bees do in the winter?" }).first().click()
    await page.getByRole("menuitem", { name: "Rename" }).click()
    await page.getByLabel("Title").fill("Bees in winter")
    await page.keyboard.press("Enter")
    await threads.getByText("Bees in winter").waitFor()
    await page.getByRole("button", { name: "New conversation" }).click()
    await page.getByRole("article").first().waitFor({ state: "detached" })
    await page.getByLabel("Search conversations").fill("why")
    await threads.getByText("Bees in winter").click()
    await page.getByText("Searched for “And why: bees winter”").waitFor()
    await page.getByRole("button", { name: "Actions for Bees in winter" }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await threads.getByText("Bees in winter").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("Searched for “And why: bees winter”").waitFor()
    await first.getByRole("button", { name: "Show on map" }).click()
    await page.waitForURL(/\/viz\?chosen=/)
  })
})

describe("a conversation", () => {
  const QUESTIONS = ["Who repaired the boat?", "What do honey bees live on?", "What did the children see?"]
  const field = (at: Page) => at.getByLabel("Question", { exact: true })
  /** Expects the newest question at the top and its answer above the input field. */
  const expectInSight = async (at: Page, question: string) => {
    const article = at.getByRole("article", { name: question })
    await article.getByText(/Answered by/).waitFor()
    const top = async (of: Locator) => (await of.boundingBox())!.y
    await eventually(async () => Math.abs((await top(article)) - 16) < 3).toBe(true)
    expect(await top(article.locator("p").first())).toBeLessThan((await top(field(at))) - 30)
  }

  it.for([
    ["a desk", WINDOW],
    ["a phone", { width: 390, height: 844 }],
  ] as const)(
    "scrolls each question with its answer into view on %s, also after a reload",
    async ([, size], { page }) => {
      await page.setViewportSize(size)
      await page.goto("/ask")
      for (const [i, question] of QUESTIONS.entries()) {
        await field(page).fill(question)
        await page.keyboard.press("Enter")
        if (i > 0) await expectInSight(page, question)
        else await page.getByText(/Answered by/).waitFor()
      }
      await page.reload()
      await expectInSight(page, QUESTIONS.at(-1)!)
    },
  )
  it("rejects a question that is too long, and folds a long one to its first lines", async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto("/ask")
    const long = "Who repaired the boat, and with what? ".repeat(300).trim()
    await field(page).fill(long)
    await page.getByRole("alert").filter({ hasText: "The question is 1,399 characters too long" }).waitFor()
    await page.keyboard.press("Enter")
    expect([await page.getByRole("article").count(), await field(page).inputValue()]).toEqual([0, long])
    await field(page).fill(long.slice(0, 900))
    expect(await page.getByRole("alert").filter({ hasText: "too long" }).count()).toBe(0)
    await page.keyboard.press("Enter")
    const heading = page.getByRole("article").getByRole("heading", { level: 2 })
    const height = async () => (await heading.boundingBox())!.height
    const folded = await height()
    await page.getByRole("button", { name: "Show full question" }).click()
    await eventually(height).toBeGreaterThan(folded * 2)
    await expectAccessible(page)
  })
})
