import { chromium } from "playwright-core"
import { serveMapPage } from "/work/wt/flat/scripts/dev-viz/build.mjs"
const { url, stop } = await serveMapPage("/tmp/flat/map-page")
const flags = process.argv[3] === "gl" ? ["--use-gl=angle","--use-angle=swiftshader","--enable-unsafe-swiftshader"] : ["--disable-gpu", "--disable-gpu-compositing"]
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium-headless-shell", args: ["--no-sandbox", ...flags] })
for (const [name, query, opt] of JSON.parse(process.argv[2])) {
  const ctx = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...opt })
  const page = await ctx.newPage()
  await page.goto(`${url}/?${query}`)
  await page.waitForTimeout(3000)
  const session = await ctx.newCDPSession(page)
  await session.send("Performance.enable", { timeDomain: "threadTicks" })
  const script = async () => (await session.send("Performance.getMetrics")).metrics.filter((m) => /ScriptDuration|TaskDuration/.test(m.name)).map((m) => m.value)
  await page.evaluate(`window.t = []; let l = 0; (function f(n) { if (l) window.t.push(n - l); l = n; requestAnimationFrame(f) })(0)`)
  const measure = async (what: string, act: () => Promise<void>) => {
    await page.evaluate(() => { (window as any).t = [] })
    const s0 = await script()
    const d0 = await page.evaluate(() => (window as any).statistics.frames)
    await act()
    const s1 = await script()
    const t: number[] = await page.evaluate(() => (window as any).t)
    const d1 = await page.evaluate(() => (window as any).statistics.frames)
    t.sort((a, b) => a - b)
    const n = d1 - d0
    console.log(name, what, "frames", n, "median", t[t.length >> 1]?.toFixed(1), "p90", t[Math.floor(t.length * 0.9)]?.toFixed(1), "script/frame", (1000 * (s1[0]! - s0[0]!) / Math.max(1, n)).toFixed(2), "task/frame", (1000 * (s1[1]! - s0[1]!) / Math.max(1, n)).toFixed(2))
  }
  await page.mouse.move(900, 450)
  await measure("pan", async () => { await page.mouse.down(); for (let i = 0; i < 60; i++) await page.mouse.move(900 + 150 * Math.sin(i / 8), 450 + 80 * Math.cos(i / 8)); await page.mouse.up() })
  await measure("wheel", async () => { for (let i = 0; i < 10; i++) { await page.mouse.wheel(0, -60); await page.waitForTimeout(60) } })
  await measure("pan zoomed", async () => { await page.mouse.down(); for (let i = 0; i < 60; i++) await page.mouse.move(900 + 150 * Math.sin(i / 8), 450 + 80 * Math.cos(i / 8)); await page.mouse.up() })
  await page.waitForTimeout(1000)
  await measure("idle", async () => { await page.waitForTimeout(1500) })
  await ctx.close()
}
await browser.close(); await stop(); process.exit(0)
