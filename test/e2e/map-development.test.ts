import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type MapPageServer, watchMapPage } from "../../scripts/dev-viz/build.mjs"
import { closePages, openBrowser } from "./helpers.ts"
import { waitForIdleScene } from "./map-helpers.ts"

describe("development page of the map", () => {
  let server: MapPageServer
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    server = await watchMapPage(0)
    browser = await openBrowser()
  })
  afterEach(() => page?.context().close())
  afterAll(async () => {
    await closePages(browser)
    await server?.stop()
  })

  it("shows the file and line of a shader that does not compile", async () => {
    page = await (await browser.newContext()).newPage()
    await page.route("**/scene/shaders.ts*", async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      await route.fulfill({ response, body: text.replace("float within(float d", "float renamed(float d") })
    })
    await page.goto(`${server.url}/?points=30`)
    const overlay = page.locator("vite-error-overlay")
    await overlay.waitFor({ state: "attached", timeout: 60_000 })
    expect(await overlay.locator(".message-body").textContent()).toContain('fragment shader of the material "disc"')
    const lines = readFileSync(join(import.meta.dirname, "../../components/map/scene/shaders.ts"), "utf8").split("\n")
    const line = 1 + lines.findIndex((text) => text.includes("within(d, 1.0)"))
    expect(await overlay.locator(".file").textContent()).toContain(`scene/shaders.ts:${line}`)
  })

  it("applies the sliders of the address and offers the presets", async () => {
    page = await (await browser.newContext()).newPage()
    await page.goto(`${server.url}/?points=600&look.point.scale=2`)
    await waitForIdleScene(page)
    type SceneWindow = { scene: { locatePoints(): { radius: number }[] } }
    const largest = () =>
      page.evaluate(() =>
        Math.max(...(window as unknown as SceneWindow).scene.locatePoints().map(({ radius }) => radius)),
      )
    const tools = page.getByRole("complementary", { name: "Tools" })
    const doubled = await largest()
    await tools.getByRole("button", { name: "Tools" }).click()
    await tools.getByRole("button", { name: "Reset the look" }).click()
    await waitForIdleScene(page)
    expect(await largest()).toBeLessThan(0.6 * doubled)
    await expect.poll(() => page.url()).not.toContain("look.")
    await tools.locator("select").first().selectOption("no-topics")
    await page.waitForURL(/points=0/)
    await page.getByRole("heading", { name: "The map is empty" }).waitFor()
  })
})
