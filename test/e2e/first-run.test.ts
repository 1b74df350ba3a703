import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  closePages,
  dropFile,
  openBrowser,
  openPage,
  picture,
  type Service,
  startService,
  type Watch,
  WITHOUT_OPENGL,
} from "./helpers.ts"

const SAMPLE = join(import.meta.dirname, "../../public/samples/three-subjects.flac")
/** About half a minute of each subject of the sample, from pause to pause: transcription takes most of the test's time. */
const SUBJECT_PARTS_S = [
  [5.4, 33],
  [58, 78.4],
  [98.8, 128.9],
]

/** Returns the parts of the sample, one after the other, as a FLAC file. */
const makeRecording = (): Buffer => {
  const selection = SUBJECT_PARTS_S.map(([from, to]) => `between(t,${from},${to})`).join("+")
  const filter = `aselect='${selection}',asetpts=N/SR/TB`
  return execFileSync("ffmpeg", ["-v", "error", "-i", SAMPLE, "-af", filter, "-f", "flac", "pipe:1"], {
    maxBuffer: 2 ** 24,
  })
}

/** On a slow machine, PocketSphinx transcribes the sample at about the speed of speech. */
const PIPELINE_TIMEOUT_MS = 400_000

type Counted = { draws: number }

/** Counts the WebGL draw calls of a page from its start. */
const countDraws = (page: Page) =>
  page.addInitScript(() => {
    const counted = window as unknown as Counted
    counted.draws = 0
    const draw = WebGL2RenderingContext.prototype.drawArrays
    WebGL2RenderingContext.prototype.drawArrays = function (...args) {
      counted.draws++
      draw.apply(this, args)
    }
  })
const draws = (page: Page) => page.evaluate(() => (window as unknown as Counted).draws)

/** Returns the two possible positions of each labelled point: a label is to the right of its point, or to its left. */
const labelledPoints = (page: Page) =>
  page.locator(".map-label").evaluateAll((labels) =>
    labels
      .filter((label) => (label as HTMLElement).style.opacity !== "0")
      .map((label) => label.getBoundingClientRect())
      .flatMap((box) =>
        [box.left - 12, (box.left + box.right) / 2, box.right + 12].map((x) => ({ x, y: box.top + box.height / 2 })),
      )
      // The topic list covers the left of the map.
      .filter((place) => place.x > 400),
  )

/**
 * One scenario in order: a new user adds the first recording, names a speaker, asks a question and explores the map. Each test
 * continues on the page as the one before left it, because the recording takes minutes to transcribe.
 */
describe("the first run", () => {
  let service: Service
  let browser: Browser
  let page: Page
  let watch: Watch

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser(WITHOUT_OPENGL)
    ;({ page, watch } = await openPage(browser, service.url))
    await countDraws(page)
  })
  afterAll(async () => {
    await closePages(browser)
    await service?.stop()
  })

  it("leads from the empty map to adding a recording", async () => {
    await page.goto(`${service.url}/viz`)
    await page.getByRole("link", { name: "Add a recording" }).click()
    await page.waitForURL(`${service.url}/`)
    await page.getByRole("heading", { name: "Get better results" }).waitFor()
    await page.getByRole("figure", { name: "The map of the sample recording" }).waitFor()
    await picture(page, "home-first-run")
  })

  it("sends the sample once on a double click, with its words", async () => {
    const { page: other } = await openPage(browser, service.url)
    const sent: string[] = []
    await other.route("**/jobs/audio", (route) => {
      sent.push(route.request().postData() ?? "")
      return route.fulfill({ status: 503, json: { detail: "not now" } })
    })
    await other.goto(service.url)
    const offer = other.getByRole("button", { name: "Explore the sample" })
    await offer.waitFor()
    await other.getByText(/A speech model for 25 languages/).waitFor()
    // Two clicks before the page renders again.
    await offer.evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })
    await other.getByText("not now").waitFor()
    expect(sent).toHaveLength(1)
    await other.context().close()
  })

  it("shows the stages of a dropped recording, then its three topics", { timeout: PIPELINE_TIMEOUT_MS }, async () => {
    await dropFile(page, makeRecording(), "three-subjects.flac", "audio/flac")
    await page.locator('[data-stage="whisper"][data-state="running"]').waitFor({ timeout: 60_000 })
    const progress = page.getByRole("progressbar", { name: "Transcribing" })
    await expect
      .poll(async () => Number(await progress.getAttribute("aria-valuenow")), { timeout: 60_000 })
      .toBeGreaterThan(0)
    await picture(page, "home-running")
    await page.locator('li[data-status="done"]').waitFor({ timeout: PIPELINE_TIMEOUT_MS - 60_000 })
    await page.getByRole("link", { name: "Show on map" }).waitFor()
    await page.locator("[data-clip]").waitFor()
    expect(await page.locator("[data-clip] ul li").count()).toBeGreaterThanOrEqual(3)
    await picture(page, "home-done")
  })

  it("names a speaker on the recording page, and exports the name", async () => {
    await page.getByRole("link", { name: "Open recording" }).click()
    await page.waitForURL(/\/library\//)
    await page.getByRole("region", { name: "Transcript" }).locator("p").first().waitFor()
    // PocketSphinx does not tell speakers apart, so the transcript shows none until there is a name.
    expect(await page.getByRole("button", { name: /^Speaker: / }).count()).toBe(0)
    await page.getByRole("button", { name: "More actions" }).click()
    await page.getByRole("menuitem", { name: "Speakers…" }).click()
    await page
      .getByLabel(/^Name of/)
      .first()
      .fill("Ada")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Speaker: Ada" }).first().waitFor()
    await picture(page, "recording-named")
    await page.getByRole("button", { name: "Export" }).click()
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: /^Subtitles/ }).click(),
    ])
    expect(readFileSync(await saved.path(), "utf8")).toContain("Ada: ")
  })

  it("answers a question, and the citation seeks to the cited second", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Ask" }).click()
    await page.getByLabel("Question", { exact: true }).fill("What do the bees do in the winter?")
    await page.keyboard.press("Enter")
    await page.getByText(/Answered by/).waitFor()
    await picture(page, "ask-answered")
    await page
      .getByRole("link", { name: /^Source \d/ })
      .first()
      .click()
    await page.waitForURL(/\/library\/.+\?t=/)
    const wanted = Math.floor(Number(new URL(page.url()).searchParams.get("t")))
    const position = page.getByRole("slider", { name: "Playback position" })
    await position.waitFor()
    await expect.poll(async () => Number(await position.getAttribute("aria-valuenow"))).toBe(wanted)
    await picture(page, "citation-seeks")
  })

  it("opens the map, where a card describes the topic under the pointer", async () => {
    await page.getByRole("link", { name: "Show on map" }).click()
    await page.waitForURL(/\/viz\?clip=/)
    await page.locator("canvas").waitFor()
    await page.waitForFunction(() => (window as unknown as Counted).draws > 0)
    // The camera animation takes 0.7 s, and labels appear after it.
    await page.waitForTimeout(1500)
    const card = page.locator("[role=tooltip]")
    let text = ""
    for (const place of await labelledPoints(page)) {
      await page.mouse.move(place.x, place.y)
      await page.waitForTimeout(300)
      text = (await card.textContent()) ?? ""
      if (text) break
    }
    expect(text).toMatch(/\d:\d\d/)
    await picture(page, "map-hover")
  })

  it("draws nothing while nothing moves", async () => {
    await page.mouse.move(900, 890)
    await page.waitForTimeout(1000)
    const before = await draws(page)
    await page.waitForTimeout(1500)
    expect(await draws(page)).toBe(before)
  })

  it("finds a topic by meaning, and opens its details from the hit", async () => {
    await page.keyboard.press("/")
    await page.keyboard.type("keeping bees in a hive")
    const hit = page.getByRole("option").first()
    await hit.waitFor()
    await picture(page, "map-search")
    const shown = await hit.textContent()
    await hit.click()
    const drawer = page.getByRole("complementary", { name: "Topic" })
    await drawer.waitFor()
    const title = drawer.getByRole("heading", { level: 2 })
    await expect.poll(() => title.textContent()).not.toBe("")
    expect(shown).toContain(await title.textContent())
    await picture(page, "map-drawer")
  })

  it("keeps topic and search in the address, and goes back through selections", async () => {
    await page.waitForURL(/topic=.*q=/)
    const address = page.url()
    await page.reload()
    const drawer = page.getByRole("complementary", { name: "Topic" })
    await drawer.waitFor()
    expect(page.url()).toBe(address)
    await page.getByRole("button", { name: "Close" }).click()
    await drawer.waitFor({ state: "detached" })
    await page.goBack()
    await drawer.waitFor()
  })

  it("opens and closes a topic of the list by keyboard", async () => {
    await page.goto(`${service.url}/viz?colour=clip`)
    const tree = page.getByRole("tree", { name: "Topics on the map" })
    await tree.focus()
    const active = async () => page.locator(`#${await tree.getAttribute("aria-activedescendant")}`)
    await page.keyboard.press("ArrowDown")
    while ((await (await active()).getAttribute("aria-expanded")) !== null) await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    const drawer = page.getByRole("complementary", { name: "Topic" })
    await drawer.waitFor()
    await page.keyboard.press("Escape")
    await drawer.waitFor({ state: "detached" })
  })

  it("asks no other origin for anything and leaves no error in the console", () => {
    expect(watch.foreign).toEqual([])
    expect(watch.errors).toEqual([])
  })

  it("fits a phone, and draws the map flat without WebGL, or says why it cannot", async () => {
    const phone = { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true } as const
    const { page: small } = await openPage(browser, service.url, phone)
    for (const [path, name] of [
      ["/", "phone-home"],
      ["/viz", "phone-map"],
    ] as const) {
      await small.goto(service.url + path)
      await small.waitForTimeout(2000)
      expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      await picture(small, name)
    }
    await small.addInitScript(() => {
      const getContext = HTMLCanvasElement.prototype.getContext as (kind: string, ...rest: unknown[]) => never
      Object.assign(HTMLCanvasElement.prototype, {
        getContext(this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
          return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...rest)
        },
      })
    })
    await small.reload()
    await small.getByRole("status").filter({ hasText: "this browser has no WebGL" }).waitFor()
    await small.locator(".map-label").filter({ hasText: /./ }).first().waitFor()
    await picture(small, "phone-flat-map")
    await small.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null
    })
    await small.reload()
    await small.getByRole("tree", { name: "Topics on the map" }).waitFor()
    await small.getByRole("alert").filter({ hasText: "2-D canvas" }).waitFor()
    await picture(small, "phone-no-canvas")
    await small.context().close()
  })

  it("tells when the service stops answering, and recovers when it is back", async () => {
    await page.goto(service.url)
    const banner = page.getByRole("status").filter({ hasText: "Earmark isn't responding" })
    await page.locator("[data-clip]").waitFor()
    expect(await banner.count()).toBe(0)
    await service.stop()
    await banner.waitFor({ timeout: 30_000 })
    expect(await page.locator("[data-clip]").count()).toBe(1)
    await picture(page, "home-silent")
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click()
    await page.getByRole("alert").filter({ hasText: "Links work again" }).waitFor()
    expect(page.url()).toBe(`${service.url}/`)
    expect(await page.locator("[data-clip]").count()).toBe(1)
    service = await startService({ SERVICE_PORT: new URL(service.url).port })
    await banner.waitFor({ state: "detached", timeout: 30_000 })
    // The new service has an empty data folder.
    await page.locator("[data-clip]").waitFor({ state: "detached" })
  })
})
