import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { LOOK } from "../../components/map/scene/look.ts"
import { emphasizedRadius } from "../../components/map/scene/projection.ts"
import type { Rgb } from "../../components/map/state/palette.ts"
import { closePages, openBrowser } from "./helpers.ts"
import {
  type Disc,
  hideLabels,
  isClear,
  isInView,
  openMapPage,
  readColors,
  readDiscs,
  readLabels,
  waitForIdleScene,
} from "./map-helpers.ts"
import {
  distance,
  largestChange,
  largestDistance,
  median,
  mix,
  type Pixels,
  pixelsIn,
  takePixels,
  unmix,
} from "./pixels.ts"

const THEMES = ["dark", "light"] as const
/** At full fade the color of a disc is mixed with this much of the ground. */
const MAX_FADE = 0.52

/** Returns the color of the background without discs, glows and edges. The ellipse is that of the ground shader. */
const groundAt = (x: number, y: number, { width, height }: Pixels, ground: Rgb, edge: Rgb): Rgb =>
  mix(ground, edge, Math.min(1, Math.hypot((x / width - 0.5) / 0.8, (y / height - 0.45) / 0.75)))

/** Tests of other layers read their pixels against the background alone. */
const NO_HAZE = "&look.haze.strength.dark=0&look.haze.strength.light=0"

const around = ({ x, y }: Disc, radius: number, count = 8): [number, number][] =>
  Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
  })

describe("look of the map", () => {
  let url: string
  let browser: Browser
  let page: Page
  let logged: string[]

  beforeAll(async () => {
    ;[url, browser] = await Promise.all([openMapPage(), openBrowser()])
  })
  afterEach(async () => {
    await page?.context().close()
    // A shader that does not compile, and every warning of three.js and React.
    expect(logged).toEqual([])
  })
  afterAll(() => closePages(browser))

  const open = async (query: string, colorScheme: (typeof THEMES)[number] = "dark") => {
    const viewport = { width: 1200, height: 800 }
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" })
    page = await context.newPage()
    logged = []
    page.on("console", (message) => logged.push(`${message.type()}: ${message.text()}`))
    page.on("pageerror", (error) => logged.push(String(error)))
    await page.goto(`${url}/${query}`)
    await waitForIdleScene(page)
  }

  /** Opens the topic with the most links of which the other end is in view and not close. */
  const openLinkedTopic = async () => {
    const discs = await readDiscs(page)
    const countLinks = (disc: Disc) =>
      disc.linked.filter((i) => isInView(discs[i]!) && Math.hypot(discs[i]!.x - disc.x, discs[i]!.y - disc.y) > 120)
        .length
    const inView = discs.filter((disc) => isInView(disc) && disc.x < 800)
    const { index } = inView.reduce((most, disc) => (countLinks(disc) > countLinks(most) ? disc : most))
    type MapWindow = { useMap: { setState(state: object): void } }
    await page.evaluate((selected) => (window as unknown as MapWindow).useMap.setState({ selected }), index)
    await page.getByRole("complementary", { name: "Topic", exact: true }).waitFor()
    await waitForIdleScene(page)
  }

  it("compiles every material without errors and warnings", async () => {
    await open("?points=60&edges=all&topic=clip-1~1")
    type SceneWindow = { scene: { listMaterials(): { all: string[]; compiled: string[] } } }
    const { all, compiled } = await page.evaluate(() => (window as unknown as SceneWindow).scene.listMaterials())
    expect(all).toEqual(["disc", "edge", "glow", "ground", "open-edge", "path"])
    // All lines have the same shaders. The haze is drawn in a scene of its own.
    expect(compiled).toEqual(["disc", "edge", "glow", "ground", "haze"])
  })

  it.each(THEMES)("draws discs, glows, labels and the ground in the colors of the %s theme", async (theme) => {
    await open(`?points=60&spread=12${NO_HAZE}`, theme)
    const { ground, edge, ink } = await readColors(page)
    const labels = await readLabels(page)
    expect(labels.length).toBeGreaterThan(5)
    const labeled = await takePixels(page)
    for (const { text, left, right, top, bottom } of labels) {
      const box = pixelsIn(labeled, left, top, right, bottom).map((color) => unmix(color, ground, ink))
      const inked = box.filter(({ share, rest }) => share > 0.5 && rest < 40).length / box.length
      expect(inked, text).toBeGreaterThan(0.05)
      expect(inked, text).toBeLessThan(0.5)
    }
    await hideLabels(page)
    const discs = await readDiscs(page)
    const pixels = await takePixels(page)
    const alone = discs.filter((disc) => isClear(disc, discs))
    expect(alone.length).toBeGreaterThan(15)
    const background = ({ x, y }: Disc) => groundAt(x, y, pixels, ground, edge)
    for (const disc of alone) {
      // Where a hollow disc is filled, too, and the highlight is faint.
      for (const [x, y] of around(disc, 0.8 * disc.radius)) {
        const { share, rest } = unmix(pixels.at(x, y), background(disc), disc.color)
        expect(share, `disc ${disc.index}`).toBeGreaterThan(0.9 * (1 - MAX_FADE))
        expect(rest, `disc ${disc.index}`).toBeLessThan(40)
      }
      const hollow = around(disc, 0.5 * disc.radius).map(([x, y]) => unmix(pixels.at(x, y), ground, disc.color).share)
      if (disc.level === 1) expect(median(hollow), `middle of ${disc.index}`).toBeLessThan(0.45)
      else expect(median(hollow), `middle of ${disc.index}`).toBeGreaterThan(0.45)
    }
    const tints = alone.map((disc) =>
      median(
        around(disc, 1.7 * disc.radius).map(([x, y]) => unmix(pixels.at(x, y), background(disc), disc.color).share),
      ),
    )
    expect(median(tints)).toBeGreaterThan(0.03)
    expect(Math.max(...tints)).toBeLessThan(0.5)
    // Ground far from all points, near the middle and near the edge of the view.
    const free = [...Array(40).keys()]
      .flatMap((i) => [...Array(40).keys()].map((j): [number, number] => [400 + 17 * i, 10 + 19 * j]))
      .filter(([x, y]) => discs.every((d) => Math.hypot(d.x - x, d.y - y) > 6 * d.radius + 4) && x < 1080)
    expect(free.length).toBeGreaterThan(100)
    const offsets = free.map(([x, y]) => distance(pixels.at(x, y), groundAt(x, y, pixels, ground, edge)))
    expect(median(offsets)).toBeLessThan(1.6)
  })

  it.each(THEMES)("draws rings and links of the open and the hovered topic in the %s theme", async (theme) => {
    await open(`?points=120&spread=12${NO_HAZE}`, theme)
    await hideLabels(page)
    await openLinkedTopic()
    const { ground, edge, ink } = await readColors(page)
    const discs = await readDiscs(page)
    const opened = discs.find((disc) => disc.isOpen)!
    const before = await takePixels(page)
    const { ringInner, ringOuter, hoverRingRadius } = LOOK.point
    const radius = emphasizedRadius(opened.radius, LOOK.point)
    for (const [x, y] of around(opened, (radius * (ringInner + ringOuter)) / 2))
      expect(distance(before.at(x, y), ink)).toBeLessThan(60)
    // Parts of links that no disc or glow covers.
    const links = opened.linked.flatMap((index) =>
      [0.5, 0.6, 0.7, 0.8].flatMap((share): [number, number][] => {
        const { x, y } = discs[index]!
        const [px, py] = [opened.x + share * (x - opened.x), opened.y + share * (y - opened.y)]
        const isUncovered = discs.every(
          (d) => Math.hypot(d.x - px, d.y - py) > (d.isOpen ? 4 * radius : 1.4 * d.radius + 2),
        )
        return isUncovered && isInView({ x: px, y: py }) ? [[px, py]] : []
      }),
    )
    expect(links.length).toBeGreaterThan(0)
    for (const [x, y] of links) {
      const background = groundAt(x, y, before, ground, edge)
      expect(largestDistance(before, x, y, background)).toBeGreaterThan(40)
    }
    // To the left of the topic panel and the controls.
    const free = discs.filter((d) => !d.isOpen && isClear(d, discs) && d.x < 720)
    const hovered = free.sort((a, b) => b.radius - a.radius)[0]!
    await page.mouse.move(hovered.x, hovered.y)
    await page.getByRole("tooltip").filter({ hasText: /./ }).waitFor()
    const after = await takePixels(page)
    const hoverRadius = hoverRingRadius * emphasizedRadius(hovered.radius, LOOK.point)
    const ring = around(hovered, hoverRadius).map(([x, y]) => unmix(after.at(x, y), before.at(x, y), ink).share)
    expect(median(ring)).toBeGreaterThan(0.4)
    // The card casts a shadow on it.
    expect(distance(after.at(hovered.x, hovered.y), hovered.color)).toBeLessThan(60)
  })

  it.each(THEMES)("draws a haze in the color of a region where its topics are, in the %s theme", async (theme) => {
    await open("?points=600&regions=3", theme)
    await hideLabels(page)
    const { ground, edge } = await readColors(page)
    const discs = await readDiscs(page)
    const pixels = await takePixels(page)
    const isFree = (x: number, y: number) =>
      isInView({ x, y }) && discs.every((d) => Math.hypot(d.x - x, d.y - y) > 5.5 * d.radius + 2)
    const groups = new Map(discs.map((disc) => [disc.group, disc.color]))
    for (const [group, color] of groups) {
      const own = discs.filter((disc) => disc.group === group && disc.level > 1)
      const near = own
        .flatMap((disc) => around(disc, 40))
        .filter(([x, y]) => isFree(x, y))
        .filter(([x, y]) => discs.every((d) => d.group === group || Math.hypot(d.x - x, d.y - y) > 160))
      const shares = near.map(([x, y]) => unmix(pixels.at(x, y), groundAt(x, y, pixels, ground, edge), color))
      if (near.length < 5) continue
      expect(median(shares.map(({ share }) => share)), `haze of region ${group}`).toBeGreaterThan(0.02)
      expect(median(shares.map(({ rest }) => rest)), `haze of region ${group}`).toBeLessThan(12)
    }
    const far = [...Array(40).keys()]
      .flatMap((i) => [...Array(40).keys()].map((j): [number, number] => [400 + 17 * i, 30 + 18 * j]))
      .filter(([x, y]) => isInView({ x, y }) && discs.every((d) => Math.hypot(d.x - x, d.y - y) > 220))
    expect(far.length).toBeGreaterThan(20)
    expect(median(far.map(([x, y]) => distance(pixels.at(x, y), groundAt(x, y, pixels, ground, edge))))).toBeLessThan(2)
  })

  it("draws the path of a recording between its topics in the order of time", async () => {
    await open(`?points=240&spread=6&regions=3${NO_HAZE}`)
    await hideLabels(page)
    const before = await takePixels(page)
    type MapWindow = { useMap: { setState(state: object): void } }
    await page.evaluate(() => (window as unknown as MapWindow).useMap.setState({ clip: 2 }))
    await waitForIdleScene(page)
    const discs = await readDiscs(page)
    const after = await takePixels(page)
    // 24 topics per recording: every fourth one begins a topic.
    const topics = discs.filter(({ index, level }) => Math.floor(index / 24) === 2 && level === 2)
    const middles = topics
      .slice(1)
      .map((disc, k) => ({ x: (disc.x + topics[k]!.x) / 2, y: (disc.y + topics[k]!.y) / 2 }))
    const uncovered = middles.filter(
      (at) => isInView(at) && discs.every((d) => Math.hypot(d.x - at.x, d.y - at.y) > 5 * d.radius + 2),
    )
    expect(uncovered.length).toBeGreaterThan(0)
    for (const { x, y } of uncovered) expect(largestChange(before, after, x, y)).toBeGreaterThan(15)
  })

  it("draws search hits at least 10 pixels wide", async () => {
    await open(`?points=6000&q=violin${NO_HAZE}`)
    await hideLabels(page)
    const hits = await page.evaluate(() => {
      const { useMap } = window as unknown as { useMap: { getState(): { hits: number[] } } }
      return useMap.getState().hits
    })
    const discs = await readDiscs(page)
    const pixels = await takePixels(page)
    const { ground } = await readColors(page)
    const small = hits.map((index) => discs[index]!).filter((d) => isInView(d) && d.radius < 4)
    expect(small.length).toBeGreaterThan(0)
    for (const disc of small)
      for (const [x, y] of around(disc, 4)) expect(distance(pixels.at(x, y), ground)).toBeGreaterThan(30)
  })

  it("draws all links between discs on request", async () => {
    await open("?points=240&spread=12")
    await hideLabels(page)
    const discs = await readDiscs(page)
    const before = await takePixels(page)
    await page.keyboard.press("e")
    await waitForIdleScene(page)
    const after = await takePixels(page)
    const middles = discs.flatMap((a) =>
      a.linked.map((b) => ({ x: (a.x + discs[b]!.x) / 2, y: (a.y + discs[b]!.y) / 2 })),
    )
    const uncovered = middles.filter(
      ({ x, y }) => isInView({ x, y }) && discs.every((d) => Math.hypot(d.x - x, d.y - y) > d.radius + 2),
    )
    expect(uncovered.length).toBeGreaterThan(20)
    const changed = uncovered.filter(({ x, y }) => largestChange(before, after, x, y) > 6)
    expect(changed.length / uncovered.length).toBeGreaterThan(0.9)
  })

  it("draws topics outside the chosen group in gray", async () => {
    await open(`?points=60&spread=12${NO_HAZE}`)
    await hideLabels(page)
    const soloGroup = (await readDiscs(page)).find(isInView)!.group
    type MapWindow = { useMap: { setState(state: object): void } }
    await page.evaluate((state) => (window as unknown as MapWindow).useMap.setState(state), { soloGroup })
    await waitForIdleScene(page)
    const discs = await readDiscs(page)
    const { ground } = await readColors(page)
    const pixels = await takePixels(page)
    const colorOf = (disc: Disc) => pixels.at(disc.x + 0.6 * disc.radius, disc.y)
    const saturationOf = (disc: Disc) => {
      const [least, most] = [Math.min(...colorOf(disc)), Math.max(...colorOf(disc))]
      return (most - least) / Math.max(1, most)
    }
    const dimmed = discs.filter((disc) => isClear(disc, discs) && disc.group !== soloGroup)
    expect(dimmed.length).toBeGreaterThan(15)
    for (const disc of dimmed) {
      expect(saturationOf(disc), `disc ${disc.index}`).toBeLessThan(0.3)
      expect(distance(colorOf(disc), ground), `disc ${disc.index}`).toBeGreaterThan(10)
    }
    const chosen = discs.filter((disc) => disc.group === soloGroup && isInView(disc))
    expect(median(chosen.map(saturationOf))).toBeGreaterThan(0.3)
  })
})
