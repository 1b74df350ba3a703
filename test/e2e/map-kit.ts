import type { Page } from "playwright-core"

type Statistics = { readonly draws: number; readonly sceneRenders: number; readonly renders: number }

export const statisticsOf = (page: Page): Promise<Statistics> =>
  page.evaluate(() => ({ ...(window as unknown as { statistics: Statistics }).statistics }))

/** Waits until the scene has drawn and then has not for half a second. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator("canvas").first().waitFor()
  await page.waitForFunction(() => (window as unknown as { statistics: Statistics }).statistics.draws > 0)
  let before = -1
  for (;;) {
    const { draws } = await statisticsOf(page)
    if (draws === before) return
    before = draws
    await page.waitForTimeout(500)
  }
}

/** What is marked under the pointer: its name, and where its ring is drawn. Waits for the frame that shows it. */
export const hoveredOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const [, , ring] = document.querySelectorAll("svg > g > circle")
    const title = document.querySelector(".panel.pointer-events-none bdi")
    return `${title?.textContent} at ${ring?.getAttribute("cx")} ${ring?.getAttribute("cy")}`
  })

type Box = { text: string; left: number; right: number; top: number; bottom: number }

/** The labels that can be read. */
export const boxesOf = (page: Page): Promise<Box[]> =>
  page.locator(".map-label").evaluateAll((labels) =>
    labels
      .filter((label) => Number(getComputedStyle(label).opacity) > 0.05)
      .map((label) => {
        const { left, right, top, bottom } = label.getBoundingClientRect()
        // The rim of the ground around the letters is no part of them.
        return { text: label.textContent ?? "", left: left + 3, right: right - 3, top, bottom }
      }),
  )

/** The share of pixels of a part of the page that are all but white. */
export const brightShare = async (page: Page, clip: { x: number; y: number; width: number; height: number }) => {
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

type Held = {
  useMap: { getState(): { model: { positions: Float32Array }; flat: boolean; view: unknown; camera: unknown } }
}

/** Where the topics are drawn, and what the state says of the eye. */
export const positionsOf = (page: Page): Promise<{ shown: number[]; eye: unknown }> =>
  page.evaluate(() => {
    const { model, flat, view, camera } = (window as unknown as Held).useMap.getState()
    return { shown: [...model.positions].map((v, i) => (flat && i % 3 === 2 ? 0 : v)), eye: { view, camera } }
  })

/** Puts a recording of so many topics on the map, far from its middle, and has the page ask for it. */
export const withMoreTopics = (page: Page, count: number): Promise<void> =>
  page.evaluate((more) => {
    type Point = { x: number; y: number; z: number; clip_id: string; clip_title: string }
    const { held } = window as unknown as {
      held: { map: { points: Point[]; clip_ids: string[]; clip_titles: Record<string, string> } }
    }
    const { map } = held
    held.map = {
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
