import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Browser, CDPSession, Page } from "playwright-core"
import { serveMapPage } from "../../../scripts/dev-viz/build.mjs"
import { launch, WINDOW, WITHOUT_OPENGL } from "../../e2e/helpers.ts"
import { drawAround, readStatistics, waitForIdleScene } from "../../e2e/map-helpers.ts"
import { median, printResult, round } from "../report.ts"
import { type ScriptCost, sumScripts, type TraceEvent } from "./script-cost.ts"

/** How often each interaction is measured, besides the first time. */
const REPEATS = 3
/** An interaction lasts until nothing was drawn for this long. */
const REST_MS = 400
/** Typed text is sent after a pause. */
const TYPED_MS = 600
const CATEGORIES = ["devtools.timeline", "v8.execute", "__metadata"]

type Act = (page: Page) => Promise<unknown>
type Interaction = {
  readonly name: string
  /** Leads from the map of regions to the state in which the interaction is measured. */
  readonly prepare?: readonly Act[]
  readonly act: Act
  /** True if the camera flies. The other interactions are measured with reduced motion, which sets it at once. */
  readonly flies?: boolean
}

const press =
  (key: string): Act =>
  (page) =>
    page.keyboard.press(key)
const colorBy =
  (coloring: string): Act =>
  (page) =>
    page.locator("select").first().selectOption(coloring)
const clickRow =
  (level: number): Act =>
  (page) =>
    page.locator(`[role=treeitem][aria-level="${level}"]`).first().click()
const dragMap: Act = async (page) => {
  await page.mouse.move(650, 350)
  await page.mouse.down()
  await page.mouse.move(810, 400, { steps: 12 })
  await page.mouse.up()
}
const dragTimeline: Act = async (page) => {
  const slider = page.getByRole("region", { name: "Timeline" }).getByRole("slider", { name: "Until" })
  const { x, y, width, height } = (await slider.locator("..").boundingBox())!
  await page.mouse.move(x + 0.3 * width, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + 0.6 * width, y + height / 2, { steps: 8 })
  await page.mouse.up()
}
const typeQuery: Act = async (page) => {
  await page.keyboard.press("/")
  await page.keyboard.type("data", { delay: 60 })
  await page.waitForTimeout(TYPED_MS)
}
/** Clicks a topic that no other one covers. */
const clickTopic: Act = async (page) => {
  const { x, y } = await page.evaluate(() => {
    const { scene } = window as unknown as { scene: { locatePoints(): { x: number; y: number; level: number }[] } }
    return scene.locatePoints().find((p) => p.level > 1 && Math.hypot(p.x - 700, p.y - 350) < 150)!
  })
  await page.mouse.click(x, y)
}

const INTERACTIONS: readonly Interaction[] = [
  { name: "open a topic on the map", act: clickTopic },
  { name: "choose a region", act: clickRow(1) },
  { name: "choose a region and fly to it", act: clickRow(1), flies: true },
  { name: "choose a recording of a region", prepare: [clickRow(1)], act: clickRow(2) },
  { name: "choose a recording", prepare: [colorBy("clip")], act: clickRow(1) },
  { name: "choose a speaker", prepare: [colorBy("speaker")], act: clickRow(1) },
  { name: "open the timeline", act: press("t") },
  { name: "choose a time range", prepare: [press("t")], act: dragTimeline },
  { name: "search", act: typeQuery },
  { name: "open a search hit", prepare: [typeQuery], act: press("Enter") },
  { name: "fly to the whole map", prepare: [press("+")], act: press("f"), flies: true },
  { name: "zoom in by a step, with other labels", act: press("+") },
  {
    name: "zoom with the wheel",
    prepare: [(page) => page.mouse.move(650, 350)],
    act: (page) => page.mouse.wheel(0, -300),
  },
  { name: "turn the map", act: dragMap },
  ...["cluster", "clip", "speaker", "time"].map((coloring) => ({
    name: `color by ${coloring}`,
    act: colorBy(coloring),
  })),
  {
    name: "collect with the lasso",
    prepare: [press("l")],
    act: (page) => drawAround(page, { left: 450, top: 150, right: 900, bottom: 550 }),
  },
  { name: "show all links", act: press("e") },
  { name: "show in 2-D", act: press("2") },
  { name: "expand the whole list", act: (page) => page.getByRole("button", { name: "Expand all" }).click() },
]

/** Shows the whole map colored by region, with a folded list. */
const reset = async (page: Page): Promise<void> => {
  await page.emulateMedia({ reducedMotion: "reduce" })
  // Away from discs and rows, whose hover would count.
  await page.mouse.move(WINDOW.width - 40, 12)
  await page.evaluate(() => {
    const { useMap } = window as unknown as { useMap: { setState(state: object): void } }
    const focus = { selected: -1, hover: -1, clip: -1, soloGroup: -1, dimmedGroups: new Set(), collected: null }
    const search = { query: "", hits: null, axis: null, span: null }
    const view = { coloring: "region", allEdges: false, flat: false, tool: "orbit", view: { to: "all", index: -1 } }
    useMap.setState({ ...focus, ...search, ...view })
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await waitForRest(page)
  const collapse = page.getByRole("button", { name: "Collapse all" })
  if ((await collapse.count()) > 0) await collapse.click()
  await page.getByRole("tree").evaluate((list) => list.scrollTo(0, 0))
}

const waitForRest = async (page: Page): Promise<void> => {
  for (let before = -1; ; ) {
    await page.waitForTimeout(REST_MS)
    const { draws } = await readStatistics(page)
    if (draws === before) return
    before = draws
  }
}

const trace = async (session: CDPSession, act: () => Promise<unknown>): Promise<ScriptCost> => {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[]))
  session.on("Tracing.dataCollected", collect)
  await session.send("Tracing.start", { traceConfig: { includedCategories: CATEGORIES }, transferMode: "ReportEvents" })
  await act()
  const complete = new Promise((done) => session.once("Tracing.tracingComplete", done))
  await session.send("Tracing.end")
  await complete
  session.off("Tracing.dataCollected", collect)
  return sumScripts(events)
}

const measure = async (
  browser: Browser,
  page: Page,
  { name, prepare = [], act, flies = false }: Interaction,
): Promise<void> => {
  const session = await browser.newBrowserCDPSession()
  const costs: ScriptCost[] = []
  for (let i = 0; i <= REPEATS; i++) {
    await reset(page)
    for (const step of prepare) await step(page)
    await waitForRest(page)
    await page.emulateMedia({ reducedMotion: flies ? "no-preference" : "reduce" })
    costs.push(
      await trace(session, async () => {
        await act(page)
        await waitForRest(page)
      }),
    )
  }
  await session.detach()
  const [first, ...later] = costs
  printResult({
    interaction: name,
    longest_frame_ms: round(median(later.map((cost) => cost.longestFrameMs)), 1),
    first_time_ms: round(first!.longestFrameMs, 1),
    total_ms: round(median(later.map((cost) => cost.totalMs)), 1),
    frames: median(later.map((cost) => cost.frames)),
  })
}

/**
 * Measures the scripts of interactions with the map by their processor time: `--points 10000`, and `--only TEXT` for those whose
 * name contains a text. The figures are that of the frame with the most, in the median and for the first time, and the sum
 * until the map is at rest.
 */
export const run = async (args: string[]): Promise<void> => {
  const options = { points: { type: "string", default: "10000" }, only: { type: "string", default: "" } } as const
  const { values } = parseArgs({ args, options })
  const folder = mkdtempSync(join(tmpdir(), "earmark-interactions-"))
  const server = await serveMapPage(folder)
  const browser = await launch(WITHOUT_OPENGL)
  try {
    const page = await browser.newPage({ viewport: WINDOW, colorScheme: "dark" })
    await page.goto(`${server.url}/?points=${values.points}`)
    await waitForIdleScene(page)
    for (const interaction of INTERACTIONS)
      if (interaction.name.includes(values.only)) await measure(browser, page, interaction)
  } finally {
    await browser.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
