import { describe, expect } from "vitest"
import { openPage, picture } from "./helpers.ts"
import { addSample, addWords, expectAccessible, expectAccessibleTheme, sampleWords } from "./library-helpers.ts"
import { it } from "./shared-service.ts"

/** A recording with audio that tests only read. */
let boat: string
/** A recording without audio that tests only read. */
let withoutAudio: string

it.beforeAll(async ({ service }) => {
  boat = await addSample(service.url, "A boat, bees and a comet")
  withoutAudio = await addWords(service.url, "Second telling", sampleWords())
})

describe("all pages", () => {
  const paths = () => ["/", `/library/${boat}`, "/ask", "/documents", "/settings", "/docs"]

  it("fit a phone and pass axe in the dark and the light theme", async ({ browser, service }) => {
    const options = { viewport: { width: 390, height: 844 }, colorScheme: "dark", reducedMotion: "reduce" } as const
    const { page: phone, watch: own } = await openPage(browser, service.url, options)
    for (const path of [...paths(), "/viz", "/nowhere"]) {
      await phone.emulateMedia({ colorScheme: "dark" })
      await phone.goto(path, { waitUntil: "networkidle" })
      expect([path, await phone.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390])
      // The checks of all 8000 elements of the reference take 20 s. Its endpoints look alike.
      if (path === "/docs")
        await phone.addStyleTag({ content: "main section[id]:not(#createWebhook) { display: none }" })
      await expectAccessible(phone)
      await picture(phone, `phone-dark-${path.split("/")[1] || "library"}${path.includes(boat) ? "-recording" : ""}`)
      await phone.emulateMedia({ colorScheme: "light" })
      await expectAccessibleTheme(phone)
    }
    await phone.goto(`/library/${withoutAudio}`, { waitUntil: "networkidle" })
    await phone.getByText("This recording has no audio").waitFor()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await picture(phone, "phone-silent-recording")
    // The browser logs the page that does not exist.
    expect(own.errors.filter((e) => !e.includes("404"))).toEqual([])
    await phone.context().close()
  })
  it("load few scripts, compressed, and do not shift their layout while they load", async ({ page }) => {
    await page.addInitScript(() => {
      const shifts = { sum: 0 }
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
          if (!entry.hadRecentInput) shifts.sum += entry.value
      }).observe({ type: "layout-shift", buffered: true })
    })
    const sizes = new Map<string, Promise<number>>()
    const measure = async (url: string, coding: string): Promise<number> => {
      const { headers } = await fetch(url, { headers: { "accept-encoding": coding } })
      const bytes = Number(headers.get("content-length"))
      if (bytes > 2000) expect(headers.get("content-encoding")).toBe(coding)
      return bytes
    }
    for (const path of paths()) {
      await page.goto(path, { waitUntil: "networkidle" })
      const { sum } = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts)
      // Below 0.1 is good by the measure of the web vitals.
      expect(sum, path).toBeLessThan(0.1)
      const scripts = await page.evaluate(() =>
        performance.getEntriesByType("resource").flatMap(({ name }) => (name.endsWith(".js") ? [name] : [])),
      )
      for (const coding of ["gzip", "br"]) {
        let bytes = 0
        for (const url of new Set(scripts)) {
          const size = sizes.get(url + coding) ?? measure(url, coding)
          sizes.set(url + coding, size)
          bytes += await size
        }
        expect(bytes, `${path} ${coding}`).toBeGreaterThan(100_000)
        expect(bytes, `${path} ${coding}`).toBeLessThan(path === `/library/${boat}` ? 227_000 : 200_000)
      }
    }
  })
})
