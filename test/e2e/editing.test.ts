import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openModelHost } from "#test/fixtures/model-host.ts"
import { sound, wavOf } from "#test/fixtures/tones.ts"
import {
  closePages,
  dropFile,
  expectQuiet,
  openBrowser,
  openPage,
  picture,
  type Service,
  startService,
  type Watch,
  WITHOUT_OPENGL,
} from "./helpers.ts"
import { addSample, addWords, expectAccessible, sampleWords } from "./library-helpers.ts"

/** Adding, deleting and editing recordings, asking, and downloading models. Each test opens its own page and edits only its own recordings. */
let service: Service
let browser: Browser
let page: Page
let watch: Watch
/** A recording that tests only read. */
let boat: string
let host: Awaited<ReturnType<typeof openModelHost>>
let podcast: Server
let feed: string

/** Serves a podcast feed of three short tones. */
const openPodcast = async (): Promise<string> => {
  podcast = createServer(({ url, headers }, response) => {
    if (url !== "/feed.xml") return void response.end(wavOf(sound([{ band: 2, at: 0.1, length: 0.4 }], 1)))
    const items = ["One", "Two", "Three"].map(
      (title, i) =>
        `<item><title>Episode ${title}</title><enclosure url="http://${headers.host}/${i}.wav" type="audio/wav"/></item>`,
    )
    response.setHeader("content-type", "application/rss+xml")
    response.end(`<rss version="2.0"><channel><title>Tones of the week</title>${items.join("")}</channel></rss>`)
  })
  await new Promise<void>((resolve) => podcast.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(podcast.address() as AddressInfo).port}`
}

beforeAll(async () => {
  ;[host, feed] = await Promise.all([openModelHost(), openPodcast()])
  ;[service, browser] = await Promise.all([
    startService({
      SERVICE_SPEECH_ENGINE: "pocketsphinx",
      SERVICE_MODELS_OFFLINE: "false",
      SERVICE_MODELS_MIRROR: host.url,
      SERVICE_FETCH_ALLOW: "127.0.0.1",
      SERVICE_FETCH_PORTS: new URL(feed).port,
    }),
    openBrowser(WITHOUT_OPENGL),
  ])
  boat = await addSample(service.url, "A boat, bees and a comet")
})
beforeEach(async () => {
  ;({ page, watch } = await openPage(browser, service.url, { colorScheme: "light" }))
})
afterEach(async () => {
  await page.context().close()
  // The browser logs rejected addresses and files, deleted recordings and the requests that a test aborts.
  expectQuiet(watch, /415|422|404|ERR_FAILED/)
})
afterAll(async () => {
  await closePages(browser)
  await service?.stop()
  await host?.close()
  podcast?.close()
})

/** Polls for up to 15 s, because the machine may be busy. */
const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 15_000 })

const openLibrary = async () => {
  await page.goto(service.url)
  await page.locator(`[data-clip="${boat}"]`).waitFor()
}

const jobTitles = async (): Promise<string[]> => {
  const { jobs } = (await (await fetch(`${service.url}/jobs`)).json()) as { jobs: { title: string }[] }
  return jobs.map((job) => job.title)
}

describe("adding recordings", () => {
  it("adds several pasted addresses, and leaves the invalid one in the field with its error", async () => {
    await openLibrary()
    await page.getByRole("button", { name: "Add a recording" }).click()
    const field = page.getByLabel(/^URLs or server paths of recordings/)
    await field.fill(`${feed}/a.wav\n\n${feed}/b.wav\nftp://example.com/c.wav\n${feed}/a.wav`)
    await page.getByRole("button", { name: "Add 3" }).click()
    await page
      .getByText(/ftp:\/\/example\.com\/c\.wav: .*URLs are not accepted/)
      .first()
      .waitFor()
    await eventually(async () => (await jobTitles()).filter((t) => /^[ab]\.wav$/.test(t)).sort()).toEqual([
      "a.wav",
      "b.wav",
    ])
    await eventually(() => field.inputValue()).toBe("ftp://example.com/c.wav")
  })
  it("rejects text that is neither an address nor a path, and adds once on a double click", async () => {
    await openLibrary()
    await page.getByRole("button", { name: "Add a recording" }).click()
    const field = page.getByLabel(/^URLs or server paths of recordings/)
    await field.fill("hello world")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").filter({ hasText: "Enter a URL" }).waitFor()
    expect(await jobTitles()).not.toContain("world")
    await field.fill(`${feed}/once.wav`)
    await page.getByRole("button", { name: "Add", exact: true }).dblclick()
    await eventually(() => field.inputValue()).toBe("")
    expect((await jobTitles()).filter((t) => t === "once.wav")).toHaveLength(1)
  })
  it("lists the episodes of a podcast, and adds the selected ones", async () => {
    await openLibrary()
    await page.getByRole("button", { name: "Add a recording" }).click()
    await page.getByLabel(/^URLs or server paths of recordings/).fill(`${feed}/feed.xml`)
    await page.getByRole("button", { name: "Browse podcast…" }).click()
    const dialog = page.getByRole("dialog", { name: "Tones of the week" })
    await dialog.getByRole("checkbox", { name: /Episode Two/ }).check()
    await dialog.getByRole("checkbox", { name: /Episode Three/ }).check()
    await expectAccessible(page)
    await picture(page, "podcast")
    await dialog.getByRole("button", { name: "Add 2 episodes" }).click()
    await dialog.waitFor({ state: "detached" })
    await eventually(async () => (await jobTitles()).filter((t) => /^Episode/.test(t)).sort()).toEqual([
      "Episode Three",
      "Episode Two",
    ])
  })
  it("shows why a file without audio is refused, and offers no retry", async () => {
    await page.goto(service.url)
    await dropFile(page, Buffer.from("just some notes, and no sound at all"), 'my "notes".txt', "text/plain")
    const card = page.getByRole("listitem").filter({ hasText: 'my "notes".txt' })
    await card.getByText(/not a recording in a supported format/).waitFor()
    expect(await card.getByRole("button", { name: "Try again" }).count()).toBe(0)
    await expectAccessible(page)
    await card.getByRole("button", { name: "Dismiss" }).click()
    await card.waitFor({ state: "detached" })
    expect(await jobTitles()).not.toContain('my "notes".txt')
  })
  it("shows a recording that another client adds while the library is open", async () => {
    await openLibrary()
    const other = await addWords(service.url, "From elsewhere", sampleWords())
    const card = page.locator(`[data-clip="${other}"]`)
    await card.waitFor({ timeout: 60_000 })
    await fetch(`${service.url}/clips/${other}`, { method: "DELETE" })
  })
})

describe("the palette", () => {
  it("keeps the keys that are typed while its script loads", async () => {
    const { page: fresh } = await openPage(browser, service.url)
    await fresh.goto(service.url, { waitUntil: "networkidle" })
    await fresh.locator(`[data-clip="${boat}"]`).waitFor()
    // The script of the palette is held until everything is typed.
    let go = () => {}
    const typed = new Promise<void>((resolve) => (go = resolve))
    await fresh.route("**/_next/static/chunks/**", async (route) => {
      await typed
      await route.continue()
    })
    await fresh.keyboard.press("Control+k")
    await fresh.keyboard.type("settx")
    await fresh.keyboard.press("Backspace")
    go()
    const field = fresh.getByRole("combobox")
    await field.waitFor()
    await fresh.keyboard.type("ings")
    await eventually(() => field.inputValue()).toBe("settings")
    await fresh.keyboard.press("Enter")
    await fresh.waitForURL(`${service.url}/settings`)
    await fresh.context().close()
  })
})

describe("deleting", () => {
  it("deletes a recording for good when the page is left, and not before", async () => {
    const doomed = await addWords(service.url, "Soon gone", sampleWords())
    await page.goto(service.url)
    const card = page.locator(`[data-clip="${doomed}"]`)
    await card.getByRole("button", { name: /^Actions for/ }).click()
    await page.getByRole("menuitem", { name: "Delete" }).click()
    await card.waitFor({ state: "detached" })
    expect((await fetch(`${service.url}/clips/${doomed}`)).status).toBe(200)
    await page.goto("about:blank")
    await eventually(async () => (await fetch(`${service.url}/clips/${doomed}`)).status).toBe(404)
  })
  it("tells that a recording was deleted elsewhere, and keeps the text that is being entered", async () => {
    const doomed = await addWords(service.url, "Gone elsewhere", sampleWords().slice(0, 60))
    await page.goto(`${service.url}/library/${doomed}`)
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

describe("editing a recording", () => {
  const transcript = () => page.getByRole("region", { name: "Transcript" })
  const openNewRecording = async (title: string): Promise<string> => {
    const id = await addSample(service.url, title)
    await page.goto(`${service.url}/library/${id}`)
    await transcript().locator("p").first().waitFor()
    return id
  }
  const boundariesOf = async (id: string): Promise<number[]> => {
    const { tree } = (await (await fetch(`${service.url}/clips/${id}`)).json()) as {
      tree: { topics: [{ children: { start_s: number }[] }] }
    }
    return tree.topics[0].children.slice(1).map((topic) => topic.start_s)
  }

  it("moves a boundary by words with the keyboard, and undoes it", async () => {
    const id = await openNewRecording("Boundary by keyboard")
    const boundaries = () => boundariesOf(id)
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
  it("moves a boundary by dragging it", async () => {
    const id = await openNewRecording("Boundary by pointer")
    await page.getByRole("slider", { name: /^Boundary between/ }).waitFor({ state: "attached" })
    const boundaries = () => boundariesOf(id)
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
  it("merges two speakers, and undoes it", async () => {
    await openNewRecording("Merged speakers")
    const named = (name: string) => transcript().getByRole("button", { name: `Speaker: ${name}` })
    await named("Speaker 2").first().waitFor()
    await page.getByRole("button", { name: "Speakers", exact: true }).click()
    await page.getByRole("button", { name: "Merge Speaker 2 with another speaker" }).click()
    await page.getByRole("menuitem", { name: "Speaker 1" }).click()
    await page.getByText("Merged Speaker 2 into Speaker 1").first().waitFor()
    await eventually(() => named("Speaker 2").count()).toBe(0)
    await page.getByText("1 speaker", { exact: true }).waitFor()
    // The notice does not cover the button that returns to the spoken word.
    await page.getByRole("region", { name: "Topics" }).getByRole("button", { name: /0:51/ }).first().click()
    await transcript().locator("p").first().hover()
    await page.mouse.wheel(0, 300)
    const message = (await page.getByRole("button", { name: "Undo", exact: true }).first().boundingBox())!
    const back = (await page.getByRole("button", { name: "Follow" }).boundingBox())!
    expect(back.y + back.height).toBeLessThan(message.y)
    await page.getByRole("button", { name: "Undo", exact: true }).first().click()
    await eventually(() => named("Speaker 2").count()).toBeGreaterThan(0)
  })
  it("undoes topic edits one by one, back to the title of the topic run", async () => {
    await openNewRecording("Topic titles")
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
  it("keeps working when a part of the page cannot be loaded, and loads it on a retry", async () => {
    await page.goto(`${service.url}/library/${boat}`)
    await transcript().locator("p").first().waitFor()
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
    expect(await transcript().locator("p").count()).toBeGreaterThan(0)
    await expectAccessible(page)
    await picture(page, "part-missing")
    await page.unroute(chunks)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("dialog", { name: "Speakers" }).waitFor()
    await page.keyboard.press("Escape")
  })
})

describe("a question about a recording", () => {
  it("cites the second of the sentence, not of the chunk", async () => {
    await page.goto(`${service.url}/ask`)
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
  it.each([
    ["a desk", {}],
    ["a phone", { viewport: { width: 390, height: 844 } }],
  ])("scrolls each question with its answer into view on %s, also after a reload", async (_, at) => {
    const { page: own } = await openPage(browser, service.url, at)
    await own.goto(`${service.url}/ask`)
    for (const [i, question] of QUESTIONS.entries()) {
      await field(own).fill(question)
      await own.keyboard.press("Enter")
      if (i > 0) await expectInSight(own, question)
      else await own.getByText(/Answered by/).waitFor()
    }
    await own.reload()
    await expectInSight(own, QUESTIONS.at(-1)!)
    await own.context().close()
  })
  it("rejects a question that is too long, and folds a long one to its first lines", async () => {
    const { page: own } = await openPage(browser, service.url, { viewport: { width: 1440, height: 900 } })
    await own.goto(`${service.url}/ask`)
    const long = "Who repaired the boat, and with what? ".repeat(300).trim()
    await field(own).fill(long)
    await own.getByRole("alert").filter({ hasText: "The question is 1,399 characters too long" }).waitFor()
    await own.keyboard.press("Enter")
    expect([await own.getByRole("article").count(), await field(own).inputValue()]).toEqual([0, long])
    await field(own).fill(long.slice(0, 900))
    expect(await own.getByRole("alert").filter({ hasText: "too long" }).count()).toBe(0)
    await own.keyboard.press("Enter")
    const heading = own.getByRole("article").getByRole("heading", { level: 2 })
    const height = async () => (await heading.boundingBox())!.height
    const folded = await height()
    await own.getByRole("button", { name: "Show full question" }).click()
    await eventually(height).toBeGreaterThan(folded * 2)
    await expectAccessible(own)
    await own.context().close()
  })
})

describe("models", () => {
  it("download with progress, and show why a download failed", async () => {
    const tokens = host.files.get("tiny-tokens.txt")!
    host.files.delete("tiny-tokens.txt")
    await page.goto(`${service.url}/settings/models`)
    const model = page.locator('[data-model="whisper-tiny"]')
    await page.getByText(/^Models take/).waitFor()
    if (!(await model.isVisible()))
      await page
        .getByText(/models to download$/)
        .first()
        .click()
    await model.getByRole("button", { name: "Download" }).click()
    await model.getByRole("alert").waitFor({ timeout: 30_000 })
    host.files.set("tiny-tokens.txt", tokens)
    const release = host.hold("tiny-tokens.txt")
    await model.getByRole("button", { name: "Resume" }).click()
    await model.getByRole("progressbar", { name: "Downloading whisper-tiny" }).waitFor()
    expect(await model.getByRole("button", { name: "Downloading" }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await picture(page, "model-coming")
    release()
    await model.getByText("· installed").waitFor({ timeout: 30_000 })
    await model.getByRole("button", { name: "Delete whisper-tiny" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete model" }).click()
    await model.getByText("· installed").waitFor({ state: "detached" })
  })
})
