import type { Browser, Page } from "playwright-core"

/** What loading a page costs. Sizes in kB as sent, times in milliseconds. */
export type PageCost = {
  readonly total_kb: number
  readonly script_kb: number
  readonly lcp_ms: number
  readonly blocked_ms: number
  readonly nodes: number
}

/** Runs in the page before its scripts: records the largest contentful paint and the time that long tasks block. */
const OBSERVE = `
  window.cost = { lcp: 0, blocked: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.cost.lcp = entry.startTime
  }).observe({ type: "largest-contentful-paint", buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.cost.blocked += Math.max(0, entry.duration - 50)
  }).observe({ type: "longtask", buffered: true })`

/** How long a page must be quiet until it counts as loaded. */
const QUIET_MS = 1500

const toKb = (bytes: number): number => Math.round(bytes / 100) / 10

/**
 * Loads a page with empty caches, and waits until it is quiet. Polls and event
 * streams that begin later do not count.
 * @returns the cost, and the page, which the caller closes
 */
export const loadPage = async (browser: Browser, url: string): Promise<{ page: Page; cost: PageCost }> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(OBSERVE)
  const session = await context.newCDPSession(page)
  await session.send("Network.enable")
  const scripts = new Set<string>()
  let [total, script, open, changedAt] = [0, 0, 0, Date.now()]
  session.on("Network.requestWillBeSent", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId)
    open++
    changedAt = Date.now()
  })
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    total += encodedDataLength
    if (scripts.has(requestId)) script += encodedDataLength
    open--
    changedAt = Date.now()
  })
  session.on("Network.loadingFailed", () => open--)
  await page.goto(url, { waitUntil: "load" })
  while (open > 1 || Date.now() - changedAt < QUIET_MS) {
    await page.waitForTimeout(100)
    if (Date.now() - changedAt > 3 * QUIET_MS) break
  }
  const { lcp, blocked, nodes } = await page.evaluate(() => ({
    ...(window as unknown as { cost: { lcp: number; blocked: number } }).cost,
    nodes: document.querySelectorAll("*").length,
  }))
  const cost = {
    total_kb: toKb(total),
    script_kb: toKb(script),
    lcp_ms: Math.round(lcp),
    blocked_ms: Math.round(blocked),
    nodes,
  }
  return { page, cost }
}

/** Returns the time from a click on a button until its menu is painted. */
export const measureMenu = (page: Page, selector: string): Promise<number> =>
  page.evaluate(async (button) => {
    const element = document.querySelector<HTMLElement>(button)!
    const start = performance.now()
    element.click()
    while (!document.querySelector("[role=menuitem]")) await new Promise((frame) => requestAnimationFrame(frame))
    await new Promise((frame) => requestAnimationFrame(frame))
    return Math.round(performance.now() - start)
  }, selector)

/** Returns the time from the start of the navigation until the map has drawn its points. */
export const measureFirstDots = async (page: Page): Promise<number> => {
  await page.waitForFunction(() => performance.getEntriesByName("map-drawn").length > 0, undefined, { timeout: 60_000 })
  return page.evaluate(() => Math.round(performance.getEntriesByName("map-drawn")[0]!.startTime))
}
