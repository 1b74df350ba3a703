import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import { packageRoot } from "#lib/platform/package-root.ts"
import { endService, type Service, startWhole } from "#test/fixtures/service.ts"
import { type Frames, plainPage, scroll, sixHours, submitWords } from "./transcript.ts"

/** First load of `/` without the 3-D code, compressed: what issue and design promise. */
const PROMISED_KB = 200

const FLAGS = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
  "--enable-precise-memory-info",
]

const kB = (bytes: number): number => Number((bytes / 1000).toFixed(1))

/** What the service sends of a script to who asks for it in a coding, in bytes. */
const sent = async (script: string, coding: string): Promise<number> => {
  const answer = await fetch(script, { headers: { "accept-encoding": coding } })
  const told = answer.headers.get("content-length")
  const body = await answer.arrayBuffer()
  return told === null ? body.byteLength : Number(told)
}

/** Every script that a page asks for until it is quiet, by what the service sends of it. */
const weigh = async (browser: Browser, url: string, path: string) => {
  const page = await browser.newPage()
  const scripts: string[] = []
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()))
  await page.goto(url + path, { waitUntil: "networkidle" })
  await page.close()
  const all = async (coding: string) => {
    const sizes = await Promise.all(scripts.map((script) => sent(script, coding)))
    return kB(sizes.reduce((total, size) => total + size, 0))
  }
  return {
    page: path,
    scripts: scripts.length,
    raw_kb: await all("identity"),
    gzip_kb: await all("gzip"),
    brotli_kb: await all("br"),
  }
}

/** The renderers of a browser by their process ids. */
const renderers = async (browser: Browser): Promise<number[]> => {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send("SystemInfo.getProcessInfo")
  await session.detach()
  return processInfo.filter((p) => p.type === "renderer").map((p) => p.id)
}

/** What a process holds that is its own share, in megabytes (Linux). */
const memory = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024

/** What a page holds when it stands and was scrolled. `before`: the renderers there were without it. */
const measure = async (browser: Browser, page: Page, selector: string, before: readonly number[]) => {
  await scroll(page, selector)
  const session = await page.context().newCDPSession(page)
  await session.send("HeapProfiler.collectGarbage")
  await session.send("Performance.enable")
  const { metrics } = await session.send("Performance.getMetrics")
  const own = (await renderers(browser)).filter((pid) => !before.includes(pid)).map(memory)
  return {
    nodes: metrics.find((m) => m.name === "Nodes")?.value ?? 0,
    memory_mb: Math.round(Math.max(0, ...own)),
  }
}

/** How often both are scrolled, by turns, so that what else the machine does meets both. */
const ROUNDS = 5

const middle = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** Frame times of pages that are scrolled in turns: of each figure the median of its rounds. */
const race = async (pages: readonly { page: Page; selector: string }[]): Promise<Frames[]> => {
  const rounds: Frames[][] = pages.map(() => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, { page, selector }] of pages.entries()) {
      await page.bringToFront()
      rounds[i]!.push(await scroll(page, selector))
    }
  return rounds.map((all) => {
    const of = (key: keyof Frames) => middle(all.map((frames) => frames[key]))
    return {
      wheel_median_ms: of("wheel_median_ms"),
      wheel_p95_ms: of("wheel_p95_ms"),
      bar_median_ms: of("bar_median_ms"),
      bar_p95_ms: of("bar_p95_ms"),
    }
  })
}

/** Our page of six hours beside the same words all in one document, in the same browser. */
const transcripts = async (browser: Browser, service: Service) => {
  const words = sixHours()
  const id = await submitWords(service.url, words)
  const without = await renderers(browser)
  const ours = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await ours.goto(`${service.url}/library/${id}`)
  await ours.locator("section[aria-label=Transcript] p").first().waitFor()
  const mine = await measure(browser, ours, "section[aria-label=Transcript]", without)
  const between = await renderers(browser)
  const plain = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await plain.setContent(plainPage(words))
  const rival = await measure(browser, plain, "main", between)
  const [frames, rivalFrames] = await race([
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

/** `npm run bench -- web`: bytes of script by page of the built service, and a page of six hours. */
export const run = async (): Promise<void> => {
  if (!existsSync(join(packageRoot(), ".next/BUILD_ID"))) throw new Error("build first: npm run build")
  const dir = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const service = await startWhole({ SERVICE_DATA_DIR: dir, SERVICE_LOG_LEVEL: "info" })
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: FLAGS,
  })
  try {
    console.log(JSON.stringify({ bench: "web", ...(await transcripts(browser, service)) }))
    const { clips } = (await (await fetch(`${service.url}/clips`)).json()) as { clips: { id: string }[] }
    for (const path of ["/", `/library/${clips[0]?.id}`, "/ask", "/status", "/docs", "/viz"]) {
      const weight = await weigh(browser, service.url, path)
      console.log(JSON.stringify({ bench: "web", ...weight, ...(path === "/" && { promised_kb: PROMISED_KB }) }))
    }
  } finally {
    await browser.close()
    await endService(service)
    rmSync(dir, { recursive: true, force: true })
  }
}
