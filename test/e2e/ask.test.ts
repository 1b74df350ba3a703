import type { Locator, Page } from "playwright-core"
import { describe, expect } from "vitest"
import { dropFile, eventually, picture, WINDOW } from "./helpers.ts"
import { addSample, expectAccessible, sampleWords } from "./library-helpers.ts"
import { it } from "./shared-service.ts"

it.beforeAll(async ({ service }) => {
  await addSample(service.url, "A boat, bees and a comet")
})

describe("the question page", () => {
  it("answers from a dropped document, and the citation opens the cited part", async ({ page }) => {
    await page.goto("/ask")
    await page.getByText("No documents yet.").waitFor()
    await dropFile(
      page,
      Buffer.from("# Hives\n\nThe white box stands by the old pear tree."),
      "hives.md",
      "text/markdown",
    )
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
    await page.waitForURL(/\/ask\/documents\/.+part=/)
    const cited = page.getByRole("region", { name: "Cited text" })
    expect(await cited.textContent()).toContain("old pear tree")
    await expectAccessible(page)
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
    await page.getByRole("heading", { name: "Closest matches" }).waitFor()
    await page.getByRole("button", { name: "Remove hives.md" }).click()
    await page.getByText("No documents yet.").waitFor()
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
