import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { closePages, openBrowser, picture, WITHOUT_OPENGL } from "./helpers.ts"
import {
  drawAround,
  openMapPage,
  openSyntheticMap,
  readLabels,
  readStatistics,
  waitForIdleScene,
  waitUntilIdle,
} from "./map-helpers.ts"

describe("flat map with synthetic data", () => {
  let url: string
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    ;[url, browser] = await Promise.all([openMapPage(), openBrowser(WITHOUT_OPENGL)])
  })
  afterEach(() => page?.context().close())
  afterAll(() => closePages(browser))

  const open = async (query: string, options?: Parameters<Browser["newContext"]>[0]) => {
    page = await openSyntheticMap(browser, `${url}/${query}`, options)
  }

  /** Returns the kind of context that the canvas of the map has. */
  const drawnBy = () =>
    page
      .locator("canvas")
      .first()
      .evaluate((canvas) =>
        ["2d", "webgl2"].find((kind) => (canvas as HTMLCanvasElement).getContext(kind as "2d") !== null),
      )

  it("draws the map flat after a lost WebGL context, and in 3-D again on request", async () => {
    await open("?points=300")
    await page.evaluate(() => {
      document.querySelector("canvas")!.getContext("webgl2")!.getExtension("WEBGL_lose_context")!.loseContext()
    })
    const notice = page.getByRole("status").filter({ hasText: "released its graphics context" })
    await notice.waitFor()
    await waitForIdleScene(page)
    expect(await drawnBy()).toBe("2d")
    expect((await readLabels(page)).length).toBeGreaterThan(4)
    const { draws } = await readStatistics(page)
    await notice.getByRole("button", { name: "Try again" }).click()
    await notice.waitFor({ state: "detached" })
    await waitForIdleScene(page)
    expect(await drawnBy()).toBe("webgl2")
    expect((await readStatistics(page)).draws).toBeGreaterThan(draws)
    expect((await readLabels(page)).length).toBeGreaterThan(4)
  })

  describe("without WebGL", () => {
    type Place = { x: number; y: number }
    const readPlaces = () =>
      page.evaluate(() => (window as unknown as { scene: { locatePoints(): Place[] } }).scene.locatePoints())
    /** Returns the distance of two topics on the screen. */
    const spanOf = ([a, b]: Place[]) => Math.hypot(a!.x - b!.x, a!.y - b!.y)

    it("pans by drag, zooms towards the pointer, and draws nothing at rest", async () => {
      await open("?points=3000&webgl=off")
      expect(await drawnBy()).toBe("2d")
      await page.getByRole("status").filter({ hasText: "this browser has no WebGL" }).waitFor()
      const before = await readPlaces()
      await page.mouse.move(700, 300)
      await page.mouse.down()
      await page.mouse.move(660, 320, { steps: 4 })
      await page.mouse.up()
      const panned = await readPlaces()
      expect(panned[0]!.x - before[0]!.x).toBeCloseTo(-40, 0)
      expect(panned[0]!.y - before[0]!.y).toBeCloseTo(20, 0)
      await expect.poll(() => page.url()).toContain("camera=")
      // The topic nearest to the pointer stays there.
      const at = { x: 700, y: 300 }
      const index = panned
        .map((p) => Math.hypot(p.x - at.x, p.y - at.y))
        .reduce((a, d, i, all) => (d < all[a]! ? i : a), 0)
      await page.mouse.move(panned[index]!.x, panned[index]!.y)
      await page.mouse.wheel(0, -240)
      await waitForIdleScene(page)
      const zoomed = await readPlaces()
      expect(spanOf(zoomed) / spanOf(panned)).toBeGreaterThan(1.3)
      expect(Math.hypot(zoomed[index]!.x - panned[index]!.x, zoomed[index]!.y - panned[index]!.y)).toBeLessThan(1)
      const large = await readLabels(page)
      await page.keyboard.press("+")
      await page.keyboard.press("+")
      await waitForIdleScene(page)
      expect(spanOf(await readPlaces()) / spanOf(zoomed)).toBeGreaterThan(2)
      expect((await readLabels(page)).map(({ text }) => text)).not.toEqual(large.map(({ text }) => text))
      await page.keyboard.press("f")
      await page.waitForFunction(() => !location.search.includes("camera="))
      // After the last movement the map is drawn once more, in full resolution.
      const drawsAtRest = async () => {
        const { draws } = await waitUntilIdle(page)
        await page.mouse.move(600, 200)
        await page.waitForTimeout(600)
        return (await readStatistics(page)).draws - draws
      }
      await expect.poll(drawsAtRest, { timeout: 20_000 }).toBe(0)
    })

    it("describes, opens, searches and collects topics as in the 3-D scene", async () => {
      await open("?points=300&renderer=flat")
      expect(await page.getByRole("status").filter({ hasText: "flat" }).count()).toBe(0)
      expect(await page.getByRole("button", { name: /2-D|3-D/ }).count()).toBe(0)
      const free = (await readPlaces()).find(({ x, y }) => x > 430 && x < 800 && y > 60 && y < 560)!
      await page.mouse.move(free.x, free.y)
      const card = page.getByRole("tooltip").filter({ hasText: /./ })
      await card.waitFor()
      const title = await card.locator("[data-part=title]").textContent()
      await page.mouse.click(free.x, free.y)
      await page
        .getByRole("complementary", { name: "Topic", exact: true })
        .getByRole("heading", { name: title! })
        .first()
        .waitFor()
      await page.keyboard.press("Escape")
      await page.keyboard.press("l")
      await drawAround(page, { left: 420, top: 40, right: 900, bottom: 620 })
      await page.getByRole("complementary", { name: "Collected topics" }).waitFor()
      await page.keyboard.press("Escape")
      await page.keyboard.press("/")
      await page.keyboard.type("violin")
      await page.waitForFunction(() => {
        const { useMap } = window as unknown as { useMap: { getState(): { hits: number[] | null } } }
        return useMap.getState().hits !== null
      })
      await waitForIdleScene(page)
      await picture(page, "map-flat-search")
    })

    it("zooms by pinch on a phone, with all pixels of its screen", async () => {
      await open("?points=300&webgl=off", {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        deviceScaleFactor: 3,
      })
      expect(await page.locator("canvas").evaluate((canvas) => (canvas as HTMLCanvasElement).width)).toBe(780)
      const before = await readPlaces()
      const session = await page.context().newCDPSession(page)
      const touch = (type: string, gap: number) =>
        session.send("Input.dispatchTouchEvent", {
          type: type as "touchStart",
          touchPoints: gap === 0 ? [] : [-1, 1].map((side, id) => ({ x: 180 + (side * gap) / 2, y: 400, id })),
        })
      await touch("touchStart", 60)
      for (const gap of [80, 100, 120]) await touch("touchMove", gap)
      await touch("touchEnd", 0)
      await waitForIdleScene(page)
      expect(spanOf(await readPlaces()) / spanOf(before)).toBeCloseTo(2, 1)
    })
  })
})
