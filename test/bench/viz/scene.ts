import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Browser, Page } from "playwright-core"
import { type MapPageServer, serveMapPage } from "../../../scripts/dev-viz/build.mjs"
import { launch } from "../../e2e/helpers.ts"

const MOVES = 60
const SETTLE_MS = 4000
const IDLE_MS = 3000
/** Measurements per scene. The scenes alternate, so that other load on the machine affects both. */
const ROUNDS = 3

type Figures = {
  /** Per mouse move: time of scripts, and of all work on the main thread, in milliseconds. */
  readonly script_ms: number
  readonly task_ms: number
  /** Milliseconds per frame while the pointer moves, and while a drag turns the map. */
  readonly frame_ms: number
  readonly turn_frame_ms: number
  readonly idle_draws_per_s: number
  readonly nodes: number
}

/** Returns the mean milliseconds per frame during an action. The scripts are strings, so that tsx does not transform them. */
const measureFrames = async (page: Page, act: () => Promise<void>): Promise<number> => {
  await page.evaluate(
    "ticks = 0; counting = true; (function tick() { ticks++; counting && requestAnimationFrame(tick) })()",
  )
  const from = performance.now()
  await act()
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
  const took = performance.now() - from
  const ticks = (await page.evaluate("counting = false, ticks")) as number
  return took / Math.max(1, ticks)
}

const measure = async (browser: Browser, server: MapPageServer, query: string): Promise<Figures> => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" })
  await page.goto(`${server.url}/${query}`)
  await page.locator("canvas").waitFor()
  await page.waitForTimeout(SETTLE_MS)
  // The first hover compiles shaders and scripts, which is not to be measured.
  for (let i = 0; i < 12; i++) await page.mouse.move(500 + 60 * i, 300 + 20 * i)
  await page.waitForTimeout(1000)
  const session = await page.context().newCDPSession(page)
  await session.send("Performance.enable")
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics")
    const of = (name: string) => metrics.find((m) => m.name === name)?.value ?? 0
    const draws = (await page.evaluate("window.statistics.draws")) as number
    return { script: of("ScriptDuration"), task: of("TaskDuration"), draws }
  }
  const atStart = await read()
  await page.waitForTimeout(IDLE_MS)
  const afterIdle = await read()
  const frame = await measureFrames(page, async () => {
    for (let i = 0; i < MOVES; i++) await page.mouse.move(480 + 13 * i, 260 + 9 * (i % 40))
  })
  const afterMoves = await read()
  await page.mouse.move(800, 450)
  await page.mouse.down()
  const turn = await measureFrames(page, async () => {
    for (let i = 0; i < MOVES; i++) await page.mouse.move(800 + 4 * i, 450 + 2 * (i % 30))
  })
  await page.mouse.up()
  const nodes = await page.evaluate(() => document.querySelectorAll("*").length)
  await page.close()
  const round = (x: number) => Math.round(x * 100) / 100
  return {
    script_ms: round((1000 * (afterMoves.script - afterIdle.script)) / MOVES),
    task_ms: round((1000 * (afterMoves.task - afterIdle.task)) / MOVES),
    frame_ms: round(frame),
    turn_frame_ms: round(turn),
    idle_draws_per_s: round((1000 * (afterIdle.draws - atStart.draws)) / IDLE_MS),
    nodes,
  }
}

const medianOfEach = (rounds: readonly Figures[]): Figures => {
  const of = (figure: keyof Figures) => rounds.map((r) => r[figure]).sort((a, b) => a - b)[rounds.length >> 1]!
  const names = Object.keys(rounds[0]!) as (keyof Figures)[]
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Figures
}

/** Compares the scene with a straightforward implementation in one browser: `--points 10000,100000`. */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({ args, options: { points: { type: "string", default: "10000" } } })
  const folder = mkdtempSync(join(tmpdir(), "earmark-scene-"))
  const server = await serveMapPage(folder)
  const browser = await launch()
  try {
    for (const points of values.points.split(",").map(Number)) {
      const all: Record<"ours" | "naive", Figures[]> = { ours: [], naive: [] }
      for (let round = 0; round < ROUNDS; round++) {
        all.ours.push(await measure(browser, server, `?points=${points}`))
        all.naive.push(await measure(browser, server, `?points=${points}&scene=naive`))
      }
      const [ours, naive] = [medianOfEach(all.ours), medianOfEach(all.naive)]
      const ratio = (of: (f: Figures) => number) => Math.round((10 * of(naive)) / Math.max(0.01, of(ours))) / 10
      const less = {
        script: ratio((f) => f.script_ms),
        task: ratio((f) => f.task_ms),
        frame: ratio((f) => f.frame_ms),
        turn_frame: ratio((f) => f.turn_frame_ms),
      }
      console.log(JSON.stringify({ points, ours, naive, less }))
    }
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
