import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Browser, chromium, type Page } from "playwright-core"
import { getClipAddress } from "#components/api/clip-address.ts"
import { MAP_ADDRESS } from "#components/api/map-fields.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { findChromium } from "#test/fixtures/chromium.ts"
import { endService, type Service, startService, startWhole } from "#test/fixtures/service.ts"
import { median, printResult } from "../report.ts"
import { loadPage, measureFirstDots, measureMenu } from "./pages.ts"
import { seedLibrary } from "./seed.ts"
import { createSixHours, type FrameTimes, renderPlainPage, scroll, submitWords } from "./transcript.ts"

/** The limit for the compressed scripts that `/` loads first. */
const HOME_PAGE_BUDGET_KB = 200

const FLAGS = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
  "--enable-precise-memory-info",
]

const toKb = (bytes: number): number => Number((bytes / 1000).toFixed(1))

/** Returns the bytes that the service sends for a script with a content coding. */
const measureTransfer = async (script: string, coding: string): Promise<number> => {
  const response = await fetch(script, { headers: { "accept-encoding": coding } })
  const length = response.headers.get("content-length")
  const body = await response.arrayBuffer()
  return length === null ? body.byteLength : Number(length)
}

/** Measures the scripts that a page loads until the network is idle. */
const measureScripts = async (browser: Browser, url: string, path: string) => {
  const page = await browser.newPage()
  const scripts: string[] = []
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()))
  await page.goto(url + path, { waitUntil: "networkidle" })
  await page.close()
  const totalKb = async (coding: string) => {
    const sizes = await Promise.all(scripts.map((script) => measureTransfer(script, coding)))
    return toKb(sizes.reduce((total, size) => total + size, 0))
  }
  return {
    page: path,
    scripts: scripts.length,
    raw_kb: await totalKb("identity"),
    gzip_kb: await totalKb("gzip"),
    brotli_kb: await totalKb("br"),
  }
}

/** Returns the process IDs of the renderers of a browser. */
const listRenderers = async (browser: Browser): Promise<number[]> => {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send("SystemInfo.getProcessInfo")
  await session.detach()
  return processInfo.filter((p) => p.type === "renderer").map((p) => p.id)
}

/** Returns the proportional set size of a process in megabytes (Linux only). */
const measureMemoryMb = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024

/** Measures the nodes and the memory of a page after it was scrolled. @param before the renderers without the page */
const measurePage = async (browser: Browser, page: Page, selector: string, before: readonly number[]) => {
  await scroll(page, selector)
  const session = await page.context().newCDPSession(page)
  await session.send("HeapProfiler.collectGarbage")
  await session.send("Performance.enable")
  const { metrics } = await session.send("Performance.getMetrics")
  const own = (await listRenderers(browser)).filter((pid) => !before.includes(pid)).map(measureMemoryMb)
  return {
    nodes: metrics.find((m) => m.name === "Nodes")?.value ?? 0,
    memory_mb: Math.round(Math.max(0, ...own)),
  }
}

/** Figures of the pages before they were made for large libraries: 498 recordings, 4 005 topics, 1.5 hours. */
const BEFORE = {
  library: { recordings: 498, total_kb: 2077, script_kb: 159, lcp_ms: 2084, blocked_ms: 429, nodes: 18_498 },
  recording: { hours: 1.5, total_kb: 1128, script_kb: 185, lcp_ms: 1340, blocked_ms: 164, nodes: 590 },
  map: { topics: 4005, total_kb: 2900, script_kb: 379, lcp_ms: 1564, blocked_ms: 277, nodes: 316 },
  first_menu_ms: [1043, 1287],
}

/** Runs a service on the data of a folder that `seedLibrary` fills. */
const withSeededService = async <T>(
  seed: Parameters<typeof seedLibrary>[1],
  use: (service: Service, ids: readonly string[]) => Promise<T>,
): Promise<T> => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  try {
    const ids = await seedLibrary(dir, seed)
    const service = await startService({ SERVICE_DATA_DIR: dir, SERVICE_LOG_LEVEL: "info" })
    try {
      return await use(service, ids)
    } finally {
      await endService(service)
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Waits until the service has computed the map, whose regions color the library. */
const waitForMap = async (url: string): Promise<void> => {
  await (await fetch(`${url}/viz/data?fields=layout_version`)).arrayBuffer()
}

/** Returns the kB that an answer takes with Brotli. */
const measureTransferSize = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(address, { headers: { "accept-encoding": "br" } }, async (response) => {
      let bytes = 0
      for await (const chunk of response) bytes += (chunk as Buffer).length
      resolve(toKb(bytes))
    }).on("error", reject)
  })

/** Measures the pages of large libraries beside their budgets and the figures from before. */
const measureBudgets = async (browser: Browser, { recordings }: { readonly recordings: number }): Promise<void> => {
  await withSeededService({ recordings, topics: 4, topicSeconds: 30 }, async ({ url }) => {
    await waitForMap(url)
    const { page, cost } = await loadPage(browser, `${url}/`)
    await page.mouse.move(720, 450)
    await page.waitForTimeout(1000)
    const first_menu_ms = await measureMenu(page, "[data-clip] button[aria-haspopup=menu]")
    await page.context().close()
    const budget = { lcp_ms: 1000, nodes: 3000, script_kb: HOME_PAGE_BUDGET_KB, first_menu_ms: 100 }
    const before = { ...BEFORE.library, first_menu_ms: BEFORE.first_menu_ms }
    printResult({ bench: "web", page: "library", recordings, ...cost, first_menu_ms, budget, before })
  })
  await withSeededService({ recordings: 500, topics: 7, topicSeconds: 30 }, async ({ url }) => {
    await waitForMap(url)
    const { page, cost } = await loadPage(browser, `${url}/viz`)
    const first_dots_ms = await measureFirstDots(page)
    await page.context().close()
    const data_kb = await measureTransferSize(url + MAP_ADDRESS)
    const budget = { data_kb: 200, first_dots_ms: 1000 }
    printResult({
      bench: "web",
      page: "map",
      topics: 4000,
      ...cost,
      data_kb,
      first_dots_ms,
      budget,
      before: BEFORE.map,
    })
  })
  await withSeededService({ recordings: 1, topics: 30, topicSeconds: 360 }, async ({ url }, [id]) => {
    const { page, cost } = await loadPage(browser, `${url}/library/${id}`)
    await page.context().close()
    const data_kb = await measureTransferSize(url + getClipAddress(id!))
    const budget = { total_kb: 300, lcp_ms: 1000, script_kb: HOME_PAGE_BUDGET_KB }
    printResult({ bench: "web", page: "recording", hours: 3, ...cost, data_kb, budget, before: BEFORE.recording })
  })
}

const ROUNDS = 5

/** Scrolls pages alternately, so that other load affects all of them. @returns the medians of the frame times per page */
const compareScrolling = async (pages: readonly { page: Page; selector: string }[]): Promise<FrameTimes[]> => {
  const rounds: FrameTimes[][] = pages.map(() => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, { page, selector }] of pages.entries()) {
      await page.bringToFront()
      rounds[i]!.push(await scroll(page, selector))
    }
  return rounds.map((all) => {
    const medianOf = (key: keyof FrameTimes) => median(all.map((times) => times[key]))
    return {
      wheel_median_ms: medianOf("wheel_median_ms"),
      wheel_p95_ms: medianOf("wheel_p95_ms"),
      bar_median_ms: medianOf("bar_median_ms"),
      bar_p95_ms: medianOf("bar_p95_ms"),
    }
  })
}

/** Compares the page of a six-hour recording with a plain page of the same words in the same browser. */
const compareTranscripts = async (browser: Browser, service: Service) => {
  const words = createSixHours()
  const id = await submitWords(service.url, words)
  const before = await listRenderers(browser)
  const ours = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await ours.goto(`${service.url}/library/${id}`)
  await ours.locator("section[aria-label=Transcript] p").first().waitFor()
  const mine = await measurePage(browser, ours, "section[aria-label=Transcript]", before)
  const beforeRival = await listRenderers(browser)
  const plain = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await plain.setContent(renderPlainPage(words))
  const rival = await measurePage(browser, plain, "main", beforeRival)
  const [frames, rivalFrames] = await compareScrolling([
    { page: ours, selector: "section[aria-label=Transcript]" },
    { page: plain, selector: "main" },
  ])
  await Promise.all([ours.close(), plain.close()])
  const ratio = (a: number, b: number) => Number((b === 0 ? 0 : a / b).toFixed(3))
  return {
    words: words.length,
    ours: { ...mine, ...frames },
    rival: { ...rival, ...rivalFrames },
    nodes_ratio: ratio(mine.nodes, rival.nodes),
    memory_ratio: ratio(mine.memory_mb, rival.memory_mb),
    wheel_ratio: ratio(frames!.wheel_median_ms, rivalFrames!.wheel_median_ms),
    wheel_p95_ratio: ratio(frames!.wheel_p95_ms, rivalFrames!.wheel_p95_ms),
  }
}

/**
 * `npm run bench -- web [--pages] [--recordings 5000]` measures the pages of large libraries beside their budgets, the page
 * of a six-hour recording beside a plain page, and the scripts of every page, in the built service. `--pages` measures only
 * the first.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({ args, options: { pages: { type: "boolean" }, recordings: { type: "string" } } })
  if (!existsSync(join(packageRoot(), ".next/BUILD_ID"))) throw new Error("This bench needs a build: npm run build.")
  const dir = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const service = await startWhole({ SERVICE_DATA_DIR: dir, SERVICE_LOG_LEVEL: "info" })
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: FLAGS,
  })
  try {
    await measureBudgets(browser, { recordings: Number(values.recordings ?? 5000) })
    if (values.pages) return
    printResult({ bench: "web", ...(await compareTranscripts(browser, service)) })
    const { clips } = (await (await fetch(`${service.url}/clips`)).json()) as { clips: { id: string }[] }
    for (const path of ["/", `/library/${clips[0]?.id}`, "/ask", "/settings", "/docs", "/viz"]) {
      const scripts = await measureScripts(browser, service.url, path)
      printResult({ bench: "web", ...scripts, ...(path === "/" && { budget_kb: HOME_PAGE_BUDGET_KB }) })
    }
  } finally {
    await browser.close()
    await endService(service)
    rmSync(dir, { recursive: true, force: true })
  }
}
