import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import type { Coloring } from "../../components/map/state/coloring.ts"
import { getColor, type Rgb } from "../../components/map/state/palette.ts"
import { serveMapPage } from "../../scripts/dev-viz/build.mjs"
import { WINDOW } from "./helpers.ts"
import { parseHex } from "./pixels.ts"

let mapPage: Promise<string> | undefined

/** Returns the URL of the map page with synthetic data, which is built and served once for all test files. */
export const openMapPage = (): Promise<string> => {
  const folder = join(import.meta.dirname, "../out/map-page")
  mapPage ??= serveMapPage(folder).then(({ url }) => url)
  return mapPage
}

type Statistics = { readonly draws: number; readonly sceneRenders: number; readonly renders: number }

export const readStatistics = (page: Page): Promise<Statistics> =>
  page.evaluate(() => ({ ...(window as unknown as { statistics: Statistics }).statistics }))

/** Waits until the scene has drawn and has then been idle for half a second. */
export const waitForIdleScene = async (page: Page): Promise<void> => {
  await page.locator("canvas").first().waitFor()
  await page.waitForFunction(() => (window as unknown as { statistics: Statistics }).statistics.draws > 0)
  let before = -1
  for (;;) {
    const { draws } = await readStatistics(page)
    if (draws === before) return
    before = draws
    await page.waitForTimeout(500)
  }
}

/** Returns the card title and ring position of the hovered topic. Waits until the card is shown, 120 ms after the pointer rests. */
export const readHovered = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    await new Promise((done) => setTimeout(done, 200))
    const [, , ring] = document.querySelectorAll("svg > g > circle")
    const title = document.querySelector("[role=tooltip] bdi")
    return `${title?.textContent} at ${ring?.getAttribute("cx")} ${ring?.getAttribute("cy")}`
  })

type Box = { text: string; left: number; right: number; top: number; bottom: number }

/** Returns the text and text box of each visible label. */
export const readLabels = (page: Page): Promise<Box[]> =>
  page.locator(".map-label").evaluateAll((labels) =>
    labels
      .filter((label) => Number(getComputedStyle(label).opacity) > 0.05)
      .map((label) => {
        const { left, right, top, bottom } = label.getBoundingClientRect()
        // Without the 3 px of padding for the outline.
        return { text: label.textContent ?? "", left: left + 3, right: right - 3, top, bottom }
      }),
  )

/** Returns the share of almost white pixels in a part of the page. */
export const measureBrightShare = async (page: Page, clip: { x: number; y: number; width: number; height: number }) => {
  const shot = (await page.screenshot({ clip })).toString("base64")
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }))
    const to = new OffscreenCanvas(image.width, image.height).getContext("2d")!
    to.drawImage(image, 0, 0)
    const { data } = to.getImageData(0, 0, image.width, image.height)
    let bright = 0
    for (let i = 0; i < data.length; i += 4) if (Math.min(data[i]!, data[i + 1]!, data[i + 2]!) > 240) bright++
    return bright / (data.length / 4)
  }, shot)
}

type MapWindow = {
  useMap: { getState(): { model: { positions: Float32Array }; flat: boolean; view: unknown; camera: unknown } }
}

/** Returns the positions of the topics in the scene and the camera state. */
export const readPositions = (page: Page): Promise<{ positions: number[]; camera: unknown }> =>
  page.evaluate(() => {
    const { model, flat, view, camera } = (window as unknown as MapWindow).useMap.getState()
    return { positions: [...model.positions].map((v, i) => (flat && i % 3 === 2 ? 0 : v)), camera: { view, camera } }
  })

/** Adds a recording with `count` topics far from the center of the map and makes the page reload its data. */
export const addTopics = (page: Page, count: number): Promise<void> =>
  page.evaluate((more) => {
    type Point = { x: number; y: number; z: number; clip_id: string; clip_title: string }
    const { backend } = window as unknown as {
      backend: { map: { points: Point[]; clip_ids: string[]; clip_titles: Record<string, string> } }
    }
    const { map } = backend
    backend.map = {
      ...map,
      clip_ids: [...map.clip_ids, "new"],
      clip_titles: { ...map.clip_titles, new: "A new recording" },
      points: [
        ...map.points,
        ...map.points
          .slice(0, more)
          .map((p, i) => ({ ...p, x: 30 + i / 10, clip_id: "new", clip_title: "A new recording" })),
      ],
    }
    window.dispatchEvent(new Event("visibilitychange"))
  }, count)

type Frame = { left: number; top: number; right: number; bottom: number }

/** Drags the pointer around a part of the page and releases it near the start. */
export const drawAround = async (page: Page, { left, top, right, bottom }: Frame): Promise<void> => {
  await page.mouse.move(left, top)
  await page.mouse.down()
  for (const [x, y] of [
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top + 20],
  ] as const)
    await page.mouse.move(x, y, { steps: 8 })
  await page.mouse.up()
}

/** Waits until the labels of the map no longer move. */
export const waitForStableLabels = async (page: Page): Promise<void> => {
  await page.locator("canvas").first().waitFor()
  let before = ""
  for (;;) {
    const now = JSON.stringify(await readLabels(page))
    if (now === before && now !== "[]") return
    before = now
    await page.waitForTimeout(400)
  }
}

/** @returns a function that reads the CPU seconds that the page has spent in scripts so far */
export const createScriptTimer = async (page: Page): Promise<() => Promise<number>> => {
  const session = await page.context().newCDPSession(page)
  await session.send("Performance.enable", { timeDomain: "threadTicks" })
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics")
    return metrics.find((m) => m.name === "ScriptDuration")!.value
  }
}

/** Returns the contrast (WCAG 2.2) between the text and the outline of each label, with its opacity applied. */
export const readLabelContrasts = (page: Page): Promise<{ text: string; contrast: number }[]> =>
  page.locator(".map-label").evaluateAll((labels) => {
    const rgb = (color: string) => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
    const luminance = (of: number[]) => {
      const [r, g, b] = of.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
    }
    return labels
      .map((label) => ({ label, style: getComputedStyle(label) }))
      .filter(({ style }) => Number(style.opacity) > 0.05)
      .map(({ label, style }) => {
        const ground = rgb(style.getPropertyValue("-webkit-text-stroke-color"))
        const ink = rgb(style.color).map((v, i) => Number(style.opacity) * v + (1 - Number(style.opacity)) * ground[i]!)
        const [a, b] = [luminance(ink), luminance(ground)]
        return { text: label.textContent ?? "", contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) }
      })
  })

/** A disc of the map. Lengths are in CSS pixels of the page. */
export type Disc = {
  readonly index: number
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly level: number
  /** The color of its group, before fading. */
  readonly color: Rgb
  readonly group: number
  /** The discs that edges connect it with. */
  readonly linked: readonly number[]
  readonly isOpen: boolean
}

type SceneWindow = {
  scene: { locatePoints(): { x: number; y: number; radius: number; level: number }[] }
  useMap: {
    getState(): {
      selected: number
      coloring: Coloring
      model: {
        groupings: Record<Coloring, { ids: Uint32Array; ranks: Record<number, number> }>
        edges: Uint32Array
      }
    }
  }
}

/** Returns all discs by index. */
export const readDiscs = async (page: Page): Promise<Disc[]> => {
  const { points, selected, groups, ranks, coloring, edges, isDark } = await page.evaluate(() => {
    const { scene, useMap } = window as unknown as SceneWindow
    const { selected, coloring, model } = useMap.getState()
    const { ids, ranks } = model.groupings[coloring]
    return {
      points: scene.locatePoints(),
      selected,
      groups: [...ids],
      ranks: [...ids].map((id) => ranks[id]!),
      coloring,
      edges: [...model.edges],
      isDark: matchMedia("(prefers-color-scheme: dark)").matches,
    }
  })
  const linked = points.map((): number[] => [])
  for (let k = 0; k < edges.length; k += 2) {
    linked[edges[k]!]!.push(edges[k + 1]!)
    linked[edges[k + 1]!]!.push(edges[k]!)
  }
  return points.map((point, index) => ({
    ...point,
    index,
    color: getColor(coloring, ranks[index]!, isDark),
    group: groups[index]!,
    linked: linked[index]!,
    isOpen: index === selected,
  }))
}

/** Returns true if the point is in the part of a view of 1200 × 800 pixels that no panel covers. */
export const isInView = ({ x, y }: { x: number; y: number }): boolean => x > 400 && x < 1100 && y > 30 && y < 770

/** Returns true if a disc is in view, large enough to read its pixels, and away from all others. */
export const isClear = (disc: Disc, discs: readonly Disc[]): boolean =>
  isInView(disc) &&
  disc.radius > 4 &&
  discs.every((d) => d === disc || Math.hypot(d.x - disc.x, d.y - disc.y) > d.radius + 1.9 * disc.radius + 2)

export const hideLabels = (page: Page): Promise<unknown> =>
  page.addStyleTag({ content: ".map-label { visibility: hidden }" })

/** Returns the colors of the page that the scene uses. */
export const readColors = async (page: Page): Promise<{ ground: Rgb; edge: Rgb; ink: Rgb }> => {
  const [ground, edge, ink] = await page.evaluate(() => {
    const style = getComputedStyle(document.documentElement)
    return ["--map", "--map-edge", "--ink"].map((name) => style.getPropertyValue(name).trim())
  })
  return { ground: parseHex(ground!), edge: parseHex(edge!), ink: parseHex(ink!) }
}

/** Opens a map of generated topics in a page of its own, and waits until it is drawn. */
export const openSyntheticMap = async (
  browser: Browser,
  url: string,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Page> => {
  const defaults = { viewport: WINDOW, colorScheme: "dark", reducedMotion: "reduce" } as const
  const page = await (await browser.newContext({ ...defaults, ...options })).newPage()
  await page.goto(url)
  await waitForIdleScene(page)
  return page
}

/** Waits until nothing was drawn for half a second: on a busy machine, the last parts of the page load late. */
export const waitUntilIdle = async (page: Page) => {
  let before = await readStatistics(page)
  for (;;) {
    await page.waitForTimeout(500)
    const after = await readStatistics(page)
    if (after.draws === before.draws) return after
    before = after
  }
}
