import { createHash, randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { describe, expect } from "vitest"
import { createClient } from "#lib/api/client/index.ts"
import { uuid5 } from "#lib/domain/ids.ts"
import { startCuttingProxy } from "#test/fixtures/cutting-proxy.ts"
import { dropFile, eventually, openPage, picture, type Service } from "./helpers.ts"
import { addSample, expectAccessible, expectAccessibleTheme } from "./library-helpers.ts"
import { it } from "./shared-service.ts"

/** A recording that tests only read. */
let boat: string

it.beforeAll(async ({ service }) => {
  boat = await addSample(service.url, "A boat, bees and a comet")
})

const openLibrary = async (page: Page) => {
  await page.goto("/")
  await page.locator(`[data-clip="${boat}"]`).waitFor()
}

const readJobTitles = async (service: Service): Promise<string[]> => {
  const { jobs } = (await (await fetch(`${service.url}/jobs`)).json()) as { jobs: { title: string }[] }
  return jobs.map((job) => job.title)
}

describe("adding recordings", () => {
  it("adds several pasted addresses, and leaves the invalid one in the field with its error", async ({
    page,
    service,
    podcast,
  }) => {
    await openLibrary(page)
    await page.getByRole("button", { name: "Add a recording" }).click()
    const field = page.getByLabel(/^URLs or server paths of recordings/)
    await field.fill(`${podcast.url}/a.wav\n\n${podcast.url}/b.wav\nftp://example.com/c.wav\n${podcast.url}/a.wav`)
    await page.getByRole("button", { name: "Add 3" }).click()
    await page
      .getByText(/ftp:\/\/example\.com\/c\.wav: .*URLs are not accepted/)
      .first()
      .waitFor()
    await eventually(async () => (await readJobTitles(service)).filter((t) => /^[ab]\.wav$/.test(t)).sort()).toEqual([
      "a.wav",
      "b.wav",
    ])
    await eventually(() => field.inputValue()).toBe("ftp://example.com/c.wav")
  })
  it("rejects text that is neither an address nor a path, and adds once on a double click", async ({
    page,
    service,
    podcast,
  }) => {
    await openLibrary(page)
    await page.getByRole("button", { name: "Add a recording" }).click()
    const field = page.getByLabel(/^URLs or server paths of recordings/)
    await field.fill("hello world")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").filter({ hasText: "Enter a URL" }).waitFor()
    expect(await readJobTitles(service)).not.toContain("world")
    await field.fill(`${podcast.url}/once.wav`)
    await page.getByRole("button", { name: "Add", exact: true }).dblclick()
    await eventually(() => field.inputValue()).toBe("")
    expect((await readJobTitles(service)).filter((t) => t === "once.wav")).toHaveLength(1)
  })
  it("lists the episodes of a podcast, and adds the selected ones", async ({ page, service, podcast }) => {
    await openLibrary(page)
    await page.getByRole("button", { name: "Add a recording" }).click()
    await page.getByLabel(/^URLs or server paths of recordings/).fill(`${podcast.url}/feed.xml`)
    await page.getByRole("button", { name: "Browse podcast…" }).click()
    const dialog = page.getByRole("dialog", { name: "Tones of the week" })
    await dialog.getByRole("checkbox", { name: /Episode Two/ }).check()
    await dialog.getByRole("checkbox", { name: /Episode Three/ }).check()
    await expectAccessible(page)
    await picture(page, "podcast")
    await dialog.getByRole("button", { name: "Add 2 episodes" }).click()
    await dialog.waitFor({ state: "detached" })
    await eventually(async () => (await readJobTitles(service)).filter((t) => /^Episode/.test(t)).sort()).toEqual([
      "Episode Three",
      "Episode Two",
    ])
  })
  it("shows why a file without audio is refused, and offers no retry", async ({ page, service }) => {
    await page.goto("/")
    await dropFile(page, Buffer.from("just some notes, and no sound at all"), 'my "notes".txt', "text/plain")
    const card = page.getByRole("listitem").filter({ hasText: 'my "notes".txt' })
    await card.getByText(/not a recording in a supported format/).waitFor()
    expect(await card.getByRole("button", { name: "Try again" }).count()).toBe(0)
    await expectAccessible(page)
    await card.getByRole("button", { name: "Dismiss" }).click()
    await card.waitFor({ state: "detached" })
    expect(await readJobTitles(service)).not.toContain('my "notes".txt')
  })
})

describe("a large upload", () => {
  it("continues where its connection was cut", async ({ browser, service }) => {
    const bytes = 60 * 2 ** 20
    const content = Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), randomBytes(bytes - 12)])
    const folder = mkdtempSync(join(tmpdir(), "earmark-upload-"))
    writeFileSync(join(folder, "keynote.wav"), content)
    const proxy = await startCuttingProxy(Number(new URL(service.url).port))
    const { page: visitor } = await openPage(browser, proxy.endpoint)
    const offsets: number[] = []
    visitor.on("request", (r) => r.method() === "PATCH" && offsets.push(Number(r.headers()["upload-offset"])))
    await visitor.goto(proxy.endpoint)
    proxy.state.cutRequestAfter = 25 * 2 ** 20
    await visitor.locator('input[type="file"]').setInputFiles(join(folder, "keynote.wav"))
    const submitted = await visitor.waitForResponse((r) => r.url().endsWith("/jobs/audio"), { timeout: 60_000 })
    const { job_id, session_id } = (await submitted.json()) as { job_id: string; session_id: string }
    expect(session_id).toBe(uuid5(`sha256:${createHash("sha256").update(content).digest("hex")}`))
    expect(proxy.state.cuts).toBeGreaterThanOrEqual(2)
    expect(offsets.length).toBeGreaterThan(2)
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b))
    expect(offsets.at(-1)).toBeGreaterThan(25 * 2 ** 20)

    await visitor.context().close()
    await proxy.close()
    rmSync(folder, { recursive: true })
    await createClient({ baseUrl: service.url }).job(job_id, { wait: 30 })
    await createClient({ baseUrl: service.url }).deleteClip(session_id)
  })
})

describe("the microphone", () => {
  const recorder = (page: Page) => page.getByRole("region", { name: "Recorder" })
  const startRecording = async (page: Page) => {
    await openLibrary(page)
    await page.getByRole("button", { name: "Add a recording" }).click()
    await page.getByRole("button", { name: "Record with the microphone" }).click()
    await recorder(page).getByText("Recording", { exact: true }).waitFor()
  }
  const addRecorded = async (page: Page, service: Service, title: string) => {
    await recorder(page).getByLabel("Title").fill(title)
    await recorder(page).getByRole("button", { name: "Add to library" }).click()
    await page.getByRole("button", { name: "Open" }).click()
    await page.waitForURL(/\/library\/[0-9a-f-]{36}/)
    const client = createClient({ baseUrl: service.url })
    const { jobs } = await client.jobs({ clip_id: new URL(page.url()).pathname.split("/").at(-1)! })
    expect(jobs.map((job) => job.title)).toEqual([title])
    // A beep has no words, but the service can decode what the browser recorded.
    const job = await client.job(jobs[0]!.job_id, { wait: 30 })
    expect(job.error?.detail ?? "no words").toMatch(/no (words|speech)/i)
  }

  it("records on all pages, with pauses, and adds what was recorded", async ({ page, service }) => {
    await startRecording(page)
    await recorder(page).getByRole("button", { name: "Pause" }).click()
    await recorder(page).getByText("Paused").waitFor()
    await recorder(page).getByRole("button", { name: "Resume" }).click()
    await page.getByRole("link", { name: "Ask", exact: true }).first().click()
    await page.waitForURL(/\/ask/)
    await eventually(() => recorder(page).getByRole("timer").textContent()).toBe("0:02")
    await expectAccessible(page)
    await picture(page, "recorder")
    await recorder(page).getByRole("button", { name: "Stop" }).click()
    await recorder(page)
      .getByText(/^\d:\d\d recorded\.$/)
      .waitFor()
    await expectAccessible(page)
    await picture(page, "recorder-review")
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: "dark" })
    await expectAccessibleTheme(page)
    await picture(page, "phone-recorder-review")
    await addRecorded(page, service, "Thoughts of the morning")
    await recorder(page).waitFor({ state: "detached" })
  })
  it("keeps what was recorded when the page ends, and offers to add it", async ({ page, service }) => {
    await startRecording(page)
    await page.waitForFunction(() => localStorage.getItem("earmark.recording") !== null)
    page.on("dialog", (dialog) => void dialog.accept())
    await page.goto("/settings")
    await recorder(page).getByText("It was not added to your library.").waitFor()
    await recorder(page).getByRole("button", { name: "Discard" }).click()
    await page.getByRole("button", { name: "Undo" }).click()
    await addRecorded(page, service, "Before the battery was empty")
    expect(await page.evaluate(() => localStorage.getItem("earmark.recording"))).toBeNull()
  })
})
