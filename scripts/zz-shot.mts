import { chromium } from "playwright-core"
import { serveMapPage } from "/work/wt/flat/scripts/dev-viz/build.mjs"
const { url, stop } = await serveMapPage("/tmp/flat/map-page")
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium-headless-shell", args: ["--no-sandbox","--use-gl=angle","--use-angle=swiftshader","--enable-unsafe-swiftshader"] })
for (const [name, query, w, h, opt] of JSON.parse(process.argv[2])) {
  const ctx = await browser.newContext({ viewport: { width: w, height: h }, reducedMotion: "reduce", ...opt })
  const page = await ctx.newPage()
  page.on("console", (m) => console.log(name, m.type(), m.text()))
  page.on("pageerror", (e) => console.log(name, "error", String(e)))
  await page.goto(`${url}/?${query}`)
  await page.waitForTimeout(2500)
  await page.screenshot({ path: `/tmp/flat/${name}.png` })
  await ctx.close()
}
await browser.close(); await stop(); process.exit(0)
