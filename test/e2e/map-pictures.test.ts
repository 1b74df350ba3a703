import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { addressOf, PRESETS, type Preset, THEMES, type Theme } from "../../scripts/dev-viz/presets.ts"
import { comparePictures, reduceScreenshot } from "./compare-pictures.ts"
import { closePages, openBrowser } from "./helpers.ts"
import { openMapPage, waitForIdleScene } from "./map-helpers.ts"

/** Set by `npm run dev:viz`: `update` stores all pictures, `compare` compares all. Without it some are compared. */
const MODE = process.env.MAP_PICTURES
const STORED = join(import.meta.dirname, "pictures")
const OUT = join(import.meta.dirname, "../out/map-pictures")

const SIZES = { window: { width: 960, height: 600 }, phone: { width: 390, height: 780 } }
/** The largest share of pixels that may differ; see docs/decisions/053-pictures-of-the-map.md. */
const MAX_SHARE = 0.001

const cases = PRESETS.flatMap((preset) =>
  THEMES.filter((theme) => MODE !== undefined || preset.tested?.includes(theme)).map((theme) => ({
    name: `${preset.name}-${theme}`,
    preset,
    theme,
  })),
)

describe("pictures of the map", () => {
  let url: string
  let browser: Browser

  beforeAll(async () => {
    ;[url, browser] = await Promise.all([openMapPage(), openBrowser()])
    for (const path of [STORED, OUT]) mkdirSync(path, { recursive: true })
    if (MODE === "update")
      for (const file of readdirSync(STORED))
        if (!cases.some(({ name }) => file === `${name}.png`)) rmSync(join(STORED, file))
  })
  afterAll(() => closePages(browser))

  /** Takes screenshots until two are equal: panels load parts of themselves later. */
  const takeSettledScreenshot = async (page: Page): Promise<Uint8Array> => {
    let before: Uint8Array = new Uint8Array()
    for (;;) {
      const screenshot = await page.screenshot({ animations: "disabled" })
      if (screenshot.equals(before)) return screenshot
      before = screenshot
      await page.waitForTimeout(400)
    }
  }

  const takePicture = async (preset: Preset, theme: Theme): Promise<Uint8Array> => {
    const context = await browser.newContext({
      viewport: preset.isPhone ? SIZES.phone : SIZES.window,
      reducedMotion: "reduce",
      locale: "en-US",
      timezoneId: "UTC",
    })
    const page = await context.newPage()
    await page.goto(`${url}/${addressOf(preset, theme, false)}`)
    await page.waitForLoadState("networkidle")
    if (!preset.query.includes("points=0")) await waitForIdleScene(page)
    const screenshot = await takeSettledScreenshot(page)
    await context.close()
    return reduceScreenshot(screenshot)
  }

  it.each(cases)("shows $name as in its stored picture", async ({ name, preset, theme }) => {
    const stored = join(STORED, `${name}.png`)
    const taken = await takePicture(preset, theme)
    if (MODE === "update") return writeFileSync(stored, taken)
    expect(existsSync(stored), "To store it: npm run dev:viz -- --update").toBe(true)
    const { share, difference } = comparePictures(readFileSync(stored), taken)
    if (share > MAX_SHARE) {
      writeFileSync(join(OUT, `${name}.png`), taken)
      if (difference) writeFileSync(join(OUT, `${name}-difference.png`), difference)
    }
    const help = `Compare ${join(OUT, name)}*.png with ${stored}. To store the new picture: npm run dev:viz -- --update`
    expect(share, help).toBeLessThanOrEqual(MAX_SHARE)
  })
})
