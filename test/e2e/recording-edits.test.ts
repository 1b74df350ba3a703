import { readFileSync } from "node:fs"
import { describe, expect } from "vitest"
import { wavOf } from "#test/fixtures/tones.ts"
import { eventually, picture, type Service } from "./helpers.ts"
import { addSample, addWords, expectAccessible, SAMPLE, sampleVariant, sampleWords } from "./library-helpers.ts"
import { openNewRecording, openRecording, seekToStart, transcriptOf } from "./recording-page.ts"
import { it } from "./shared-service.ts"

const readBoundaries = async (service: Service, id: string): Promise<number[]> => {
  const { tree } = (await (await fetch(`${service.url}/clips/${id}`)).json()) as {
    tree: { topics: [{ children: { start_s: number }[] }] }
  }
  return tree.topics[0].children.slice(1).map((topic) => topic.start_s)
}

describe("highlights, notes and summaries", () => {
  it("highlights words and writes a note on them, which is listed, searched and undone", async ({ page, service }) => {
    await openNewRecording(page, service, "Marked words")
    const paragraph = transcriptOf(page).locator("[data-paragraph]").first()
    const select = async (from: number, to: number) => {
      await paragraph.hover()
      const [a, b] = [
        await paragraph.locator("[data-w]").nth(from).boundingBox(),
        await paragraph.locator("[data-w]").nth(to).boundingBox(),
      ]
      await page.mouse.move(a!.x + 1, a!.y + a!.height / 2)
      await page.mouse.down()
      await page.mouse.move(b!.x + b!.width - 1, b!.y + b!.height / 2, { steps: 4 })
      await page.mouse.up()
    }
    await select(0, 1)
    await page.getByRole("button", { name: "Highlight in green" }).click()
    await paragraph.locator('.word[data-highlight="green"]').first().waitFor()
    await select(3, 4)
    await page.getByRole("button", { name: "Add a note" }).click()
    await page.getByRole("textbox", { name: "Note" }).fill("A zeppelin of a note")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("button", { name: "Note: A zeppelin of a note" }).click()
    const notes = page.getByRole("region", { name: "Notes" })
    await expect
      .poll(() => notes.getByRole("list", { name: "Highlights and notes" }).getByRole("listitem").count())
      .toBe(2)
    await expectAccessible(page)
    await picture(page, "notes")
    await page.goto("/library/notes?q=zeppelin")
    await page.getByText("A zeppelin of a note").waitFor()
    await page.getByRole("button", { name: "Delete the note A zeppelin of a note" }).click()
    await page.getByText("Nothing matches.").waitFor()
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await page.getByText("A zeppelin of a note").waitFor()
  })
  it("makes a summary from a template, whose lines lead to their second", async ({ page, service }) => {
    await openNewRecording(page, service, "Summed up")
    await page.getByRole("radio", { name: "Summaries" }).last().check({ force: true })
    await page.getByRole("radio", { name: "Minutes" }).check({ force: true })
    await page.getByRole("button", { name: "Make minutes" }).click()
    await page.getByText("found by cue words, not by a model").waitFor()
    const lines = page.getByRole("article", { name: "Minutes" }).getByRole("button", { name: /^Play from/ })
    expect(await lines.count()).toBeGreaterThan(2)
    await expectAccessible(page)
    await picture(page, "summaries")
  })
})

describe("editing a transcript", () => {
  it("attaches the audio of a recording that has only a transcript, and refuses that of another", async ({
    page,
    service,
  }) => {
    const id = await addWords(service.url, "Attach to me", sampleWords())
    await openRecording(page, id)
    const field = page.getByLabel("Recording to attach")
    await field.setInputFiles({ name: "short.wav", mimeType: "audio/wav", buffer: wavOf(new Int16Array(16_000)) })
    await page.getByRole("alert").getByText("but the transcript ends at").waitFor()
    await field.setInputFiles({ name: SAMPLE, mimeType: "audio/flac", buffer: sampleVariant() })
    await page.getByText("Audio attached").waitFor()
    await page.getByRole("button", { name: "Play" }).waitFor()
  })
  it("names a speaker, and assigns a paragraph to another speaker with an undo", async ({ page, service }) => {
    const id = await openNewRecording(page, service, "Speakers")
    await page.getByRole("button", { name: "Speakers", exact: true }).click()
    await page.getByLabel("Name of Speaker 2").fill("Ada")
    await expectAccessible(page)
    await picture(page, "speakers")
    await page.getByRole("button", { name: "Save names" }).click()
    await transcriptOf(page).getByRole("button", { name: "Speaker: Ada" }).first().waitFor()
    const wordsOfFirstSpeaker = async () => {
      const { transcription } = (await (await fetch(`${service.url}/clips/${id}`)).json()) as {
        transcription: { speaker: string }[]
      }
      return transcription.filter((w) => w.speaker === "0").length
    }
    const before = await wordsOfFirstSpeaker()
    await transcriptOf(page).getByRole("button", { name: "Speaker: Speaker 1" }).first().click()
    await page.getByRole("menuitem", { name: "Ada", exact: true }).click()
    await page.getByText("Paragraph assigned to Ada").first().waitFor()
    expect(await wordsOfFirstSpeaker()).toBeLessThan(before)
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await expect.poll(wordsOfFirstSpeaker, { timeout: 15_000 }).toBe(before)
  })
  it("lists a named person, finds what the person says, renames, and deletes with an undo", async ({
    page,
    service,
  }) => {
    const id = await openNewRecording(page, service, "Words of Zenobia")
    await page.getByRole("button", { name: "Speakers", exact: true }).click()
    await page.getByLabel("Name of Speaker 2").fill("Zenobia")
    await page.getByRole("button", { name: "Save names" }).click()
    await transcriptOf(page).getByRole("button", { name: "Speaker: Zenobia" }).first().waitFor()
    await page.goto("/library/people?q=zenobia")
    await page.getByText("1 recording ·").waitFor()
    await expectAccessible(page)
    await picture(page, "people")
    await page.getByRole("link", { name: "Zenobia" }).click()
    await page.getByRole("heading", { name: "Zenobia" }).waitFor()
    await page.getByLabel("What Zenobia says about…").fill("honey")
    const hit = page.getByRole("list", { name: "Passages" }).getByRole("link").first()
    await hit.waitFor()
    expect(await hit.getAttribute("href")).toMatch(new RegExp(`^/library/${id}\\?t=`))
    await expectAccessible(page)
    await picture(page, "person")
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: "dark" })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await expectAccessible(page)
    await picture(page, "phone-dark-person")
    await page.getByRole("button", { name: "Actions for Zenobia" }).click()
    await page.getByRole("menuitem", { name: "Rename…" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Zenobia of Palmyra")
    await page.getByRole("button", { name: "Rename", exact: true }).click()
    await page.getByRole("heading", { name: "Zenobia of Palmyra" }).waitFor()
    await page.getByRole("button", { name: "Actions for Zenobia of Palmyra" }).click()
    await page.getByRole("menuitem", { name: "Delete…" }).click()
    await page.getByRole("button", { name: "Delete person" }).click()
    await page.waitForURL("/library/people")
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await page.getByRole("link", { name: "Zenobia of Palmyra" }).waitFor()
    expect((await fetch(`${service.url}/library/people/nobody`)).status).toBe(404)
  })
  it("finds and replaces words, leaves those alone that changed meanwhile, and undoes it", async ({
    page,
    service,
  }) => {
    const id = await addSample(service.url, "Replacements")
    const countWord = async (wanted: string) => {
      const { transcription } = (await (await fetch(`${service.url}/clips/${id}`)).json()) as {
        transcription: { word: string }[]
      }
      return transcription.filter(({ word }) => word.toLowerCase().replaceAll(/[^a-z]/g, "") === wanted).length
    }
    const [boats, barges] = [await countWord("boat"), await countWord("barge")]
    await openRecording(page, id)
    await page.keyboard.press("Control+h")
    const dialog = page.getByRole("dialog", { name: "Find and replace" })
    await dialog.getByLabel("Find", { exact: true }).fill("boat")
    await dialog.getByLabel("Replace with").fill("barge")
    await dialog.getByRole("status").getByText(`${boats} hit`).waitFor()
    await expectAccessible(page)
    await picture(page, "replace")
    // The first hit is corrected in another window after the preview.
    const preview = await fetch(`${service.url}/replacements/preview`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ find: "boat", clip_id: id }),
    })
    const [{ hits }] = ((await preview.json()) as { clips: [{ hits: { start_s: number; end_s: number }[] }] }).clips
    await fetch(`${service.url}/clips/${id}/edits`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ edits: [{ kind: "text", ...hits[0]!, words: ["ferry"] }] }),
    })
    await dialog.getByRole("button", { name: `Replace ${boats}` }).click()
    await dialog.getByText("the words have changed meanwhile").waitFor()
    await dialog.getByRole("button", { name: "Cancel" }).click()
    expect([await countWord("barge"), await countWord("boat")]).toEqual([barges + boats - 1, 0])
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await expect.poll(() => countWord("boat")).toBe(boats - 1)
  })
  it("corrects words, and exports contain the correction and the speaker names", async ({ page, service }) => {
    const id = await addSample(service.url, "Corrections")
    const named = await fetch(`${service.url}/clips/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ speakers: { "1": "Ada" } }),
    })
    expect(named.status).toBe(200)
    await openRecording(page, id)
    await seekToStart(page)
    await page.getByRole("button", { name: /^Correct text at 0:00/ }).click()
    const field = page.getByLabel("Corrected text")
    const written = (await field.inputValue()).replace("old boat", "ancient barge")
    await field.fill(written)
    // While the service does not answer, the text stays in the field, also when the page reloads its data afterwards.
    await page.route(/\/edits$|\/health\/ready$/, (route) => route.abort())
    await page.keyboard.press("Enter")
    await page.getByText(/^Couldn't save/).waitFor()
    await page.getByText("Earmark isn't responding").waitFor()
    expect(await field.inputValue()).toBe(written)
    await page.unroute(/\/edits$|\/health\/ready$/)
    await page.getByText("Earmark isn't responding").waitFor({ state: "detached" })
    expect(await field.inputValue()).toBe(written)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("Correction saved", { exact: true }).first().waitFor()
    await transcriptOf(page).getByText("ancient").waitFor()
    await page.getByRole("button", { name: "Export" }).click()
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: /^Text/ }).click(),
    ])
    const text = readFileSync(await saved.path(), "utf8")
    expect(text).toContain("Ada")
    expect(text).toContain("ancient barge")
  })
  it("merges two speakers, and undoes it", async ({ page, service }) => {
    await openNewRecording(page, service, "Merged speakers")
    const named = (name: string) => transcriptOf(page).getByRole("button", { name: `Speaker: ${name}` })
    await named("Speaker 2").first().waitFor()
    await page.getByRole("button", { name: "Speakers", exact: true }).click()
    await page.getByRole("button", { name: "Merge Speaker 2 with another speaker" }).click()
    await page.getByRole("menuitem", { name: "Speaker 1" }).click()
    await page.getByText("Merged Speaker 2 into Speaker 1").first().waitFor()
    await eventually(() => named("Speaker 2").count()).toBe(0)
    await page.getByText("1 speaker", { exact: true }).waitFor()
    // The notice does not cover the button that returns to the spoken word.
    await page.getByRole("region", { name: "Topics" }).getByRole("button", { name: /0:51/ }).first().click()
    await transcriptOf(page).locator("p").first().hover()
    await page.mouse.wheel(0, 300)
    const message = (await page.getByRole("button", { name: "Undo", exact: true }).first().boundingBox())!
    const back = (await page.getByRole("button", { name: "Follow" }).boundingBox())!
    expect(back.y + back.height).toBeLessThan(message.y)
    await page.getByRole("button", { name: "Undo", exact: true }).first().click()
    await eventually(() => named("Speaker 2").count()).toBeGreaterThan(0)
  })
})

describe("editing topics", () => {
  it("edits a topic, and restores it as the topic run made it", async ({ page, service }) => {
    await openNewRecording(page, service, "Topic edits")
    const topics = page.getByRole("region", { name: "Topics" })
    const line = topics.getByRole("button", { name: /^Edit topic/ }).first()
    await line.focus()
    await line.click()
    await page.getByLabel("Title", { exact: true }).fill("Mending a boat")
    expect(await page.getByLabel("Start", { exact: true }).isDisabled()).toBe(true)
    const ends = page.getByLabel("End", { exact: true })
    const boundary = await ends.inputValue()
    await ends.fill("9:99")
    await page.getByText(/^Must be between 0:00 and \d:\d\d$/).waitFor()
    await page.getByRole("button", { name: "Save" }).click()
    await expectAccessible(page)
    await picture(page, "topic-refused")
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("Mending a boat")
    await ends.fill(boundary)
    await page.getByRole("button", { name: "Save" }).click()
    await topics.getByText("Mending a boat").waitFor()
    await topics.getByText("edited", { exact: true }).waitFor()
    await topics.getByRole("button", { name: "Edit topic Mending a boat" }).click()
    await page.getByRole("button", { name: "Revert to original" }).click()
    await topics.getByText("Mending a boat").waitFor({ state: "detached" })
  })
  it("adds, merges and deletes topics in the outline, undoes it, and shows it in another window", async ({
    page,
    service,
  }) => {
    const id = await openNewRecording(page, service, "Topics by hand")
    const topics = page.getByRole("region", { name: "Topics" })
    const rows = topics.locator("[data-topic]")
    const titles = () => rows.evaluateAll((all) => all.map((row) => row.querySelector("bdi")!.textContent))
    await rows.nth(1).waitFor()
    await expectAccessible(page)
    const before = await titles()
    await topics
      .getByRole("button", { name: /^Change topic/ })
      .nth(1)
      .click()
    await page.getByRole("menuitem", { name: "Merge with previous topic" }).click()
    await expect.poll(titles).toEqual(before.filter((_, i) => i !== 1))
    await topics.getByRole("button", { name: "Undo change of topics" }).click()
    await expect.poll(titles).toEqual(before)
    await rows.first().click()
    await page.keyboard.press("Control+Shift+z")
    await expect.poll(titles).toHaveLength(before.length - 1)
    await page.keyboard.press("Control+z")
    await expect.poll(titles).toEqual(before)
    await page.goto(`/library/${id}?t=20`)
    await topics.getByRole("button", { name: /^New topic at 0:/ }).click()
    const field = topics.getByRole("textbox")
    await field.fill("Begun by hand")
    await picture(page, "topic-added")
    await field.press("Enter")
    await expect.poll(titles).toContain("Begun by hand")
    const other = await page.context().newPage()
    await other.goto(`/library/${id}`)
    const inOther = other.getByRole("region", { name: "Topics" })
    await inOther.getByText("Begun by hand").waitFor()
    await inOther.getByRole("button", { name: /^Change topic Begun by hand/ }).click()
    await other.getByRole("menuitem", { name: "Delete topic" }).click()
    await inOther.getByText("Begun by hand").waitFor({ state: "detached" })
    // This window has not seen the deletion: its change is refused, and the page shows the other one.
    await topics
      .getByRole("button", { name: /^Change topic/ })
      .nth(1)
      .click()
    await page.getByRole("menuitem", { name: "Merge with previous topic" }).click()
    await topics.getByText("Begun by hand").waitFor({ state: "detached" })
    expect(await titles()).toEqual(before)
    await other.close()
  })
  it("moves a boundary by words with the keyboard, and undoes it", async ({ page, service }) => {
    const id = await openNewRecording(page, service, "Boundary by keyboard")
    const boundaries = () => readBoundaries(service, id)
    const boundary = page.getByRole("slider", { name: /^Boundary between/ })
    await boundary.waitFor({ state: "attached" })
    const [first, second] = await boundaries()
    await boundary.focus()
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight")
    expect(await boundary.getAttribute("aria-valuetext")).toMatch(/moved from/)
    await page.keyboard.press("Escape")
    expect(await boundary.getAttribute("aria-valuetext")).not.toMatch(/moved from/)
    expect(await boundaries()).toEqual([first, second])
    await page.keyboard.press("PageUp")
    await expectAccessible(page)
    await page.keyboard.press("Enter")
    await page
      .getByText(/^Boundary moved to/)
      .first()
      .waitFor()
    const [moved, same] = await boundaries()
    expect(Math.abs(moved! - first! - 10)).toBeLessThan(2)
    expect(same).toBe(second)
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await eventually(boundaries).toEqual([first, second])
  })
  it("moves a boundary by dragging it", async ({ page, service }) => {
    const id = await openNewRecording(page, service, "Boundary by pointer")
    await page.getByRole("slider", { name: /^Boundary between/ }).waitFor({ state: "attached" })
    const boundaries = () => readBoundaries(service, id)
    const before = await boundaries()
    const line = (await page.getByRole("group", { name: "Timeline" }).boundingBox())!
    const { duration_s } = (await (await fetch(`${service.url}/clips/${id}`)).json()) as { duration_s: number }
    const x = (seconds: number) => line.x + (line.width * seconds) / duration_s
    const y = line.y + line.height - 6
    await page.mouse.move(x(before[1]!), y)
    await page.mouse.down()
    await page.mouse.move(x(before[1]! - 15), y, { steps: 6 })
    await picture(page, "boundary")
    await page.mouse.up()
    await eventually(async () => Math.abs((await boundaries())[1]! - before[1]! + 15) < 2).toBe(true)
    expect((await boundaries())[0]).toBe(before[0])
  })
  it("undoes topic edits one by one, back to the title of the topic run", async ({ page, service }) => {
    await openNewRecording(page, service, "Topic titles")
    const topics = page.getByRole("region", { name: "Topics" })
    const original = (await topics.locator("[data-topic] bdi").first().textContent())!
    const editTitle = async (title: string) => {
      await topics
        .getByRole("button", { name: /^Edit topic/ })
        .first()
        .click()
      await page.getByLabel("Title", { exact: true }).fill(title)
      await page.getByRole("button", { name: "Save" }).click()
      await topics.getByText(title, { exact: true }).waitFor()
    }
    const undos = page.getByRole("button", { name: "Undo", exact: true })
    const undo = async () => {
      const before = await undos.count()
      await undos.first().click()
      await eventually(() => undos.count()).toBeLessThan(before)
    }
    await editTitle("Mending a boat")
    await editTitle("A boat is mended")
    await undo()
    await topics.getByText("Mending a boat", { exact: true }).waitFor()
    await undo()
    await topics.getByText(original, { exact: true }).waitFor()
  })
})
