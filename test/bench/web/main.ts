import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import { packageRoot } from "#lib/platform/package-root.ts"
import { findChromium } from "#test/fixtures/chromium.ts"
import { endService, type Service, startWhole } from "#test/fixtures/service.ts"
import { median, printResult } from "../report.ts"
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

/** Measures the page of a six-hour recording, and the scripts of every page, in the built service. */
export const run = async (): Promise<void> => {
  if (!existsSync(join(packageRoot(), ".next/BUILD_ID"))) throw new Error("This bench needs a build: npm run build.")
  const dir = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const service = await startWhole({ SERVICE_DATA_DIR: dir, SERVICE_LOG_LEVEL: "info" })
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: FLAGS,
  })
  try {
    printResult({ bench: "web", ...(await compareTranscripts(browser, service)) })
    const { clips } = (await (await fetch(`${service.url}/clips`)).json()) as { clips: { id: string }[] }
    for (const path of ["/", `/library/${clips[0]?.id}`, "/ask", "/status", "/docs", "/viz"]) {
      const scripts = await measureScripts(browser, service.url, path)
      printResult({ bench: "web", ...scripts, ...(path === "/" && { budget_kb: HOME_PAGE_BUDGET_KB }) })
    }
  } finally {
    await browser.close()
    await endService(service)
    rmSync(dir, { recursive: true, force: true })
  }
}
