import type { Page } from "playwright-core"
import type { WordSpan } from "#lib/domain/transcript/words.ts"

const SECONDS = 6 * 3600
const VOCABULARY =
  "we talked about the boat and the harbour in spring then bees stay warm close together while a comet crosses the northern sky over our small observatory".split(
    " ",
  )

/** Six hours of four voices, two words a second, a sentence every twelve words. The same each time. */
export const sixHours = (): WordSpan[] =>
  Array.from({ length: 2 * SECONDS }, (_, i) => {
    const word = VOCABULARY[(i * 7 + Math.floor(i / 12)) % VOCABULARY.length]!
    return {
      word: i % 12 === 11 ? `${word}.` : word,
      start: i / 2,
      end: i / 2 + 0.4,
      speaker: String(Math.floor(i / 96) % 4),
    }
  })

/** Submits words and waits until they are a clip with topics. @returns its id */
export const submitWords = async (url: string, transcription: readonly WordSpan[]): Promise<string> => {
  const headers = { "content-type": "application/json" }
  const body = JSON.stringify({ source: "https://example.com/six-hours.mp3", title: "Six hours", transcription })
  const submitted = await fetch(`${url}/jobs/audio`, { method: "POST", headers, body })
  const { job_id, session_id } = (await submitted.json()) as { job_id: string; session_id: string }
  for (;;) {
    const { status, error } = (await (await fetch(`${url}/jobs/${job_id}`)).json()) as {
      status: string
      error?: { detail: string }
    }
    if (status === "done") return session_id
    if (error) throw new Error(error.detail)
    await new Promise((wake) => setTimeout(wake, 300))
  }
}

/** The rival: every word an element, none left out, as a page without virtual lists has it. */
export const plainPage = (words: readonly WordSpan[]): string => {
  const paragraphs: string[] = []
  for (let i = 0; i < words.length; i += 96)
    paragraphs.push(
      `<p>${words
        .slice(i, i + 96)
        .map((w, k) => `<span data-w="${i + k}">${w.word}</span> `)
        .join("")}</p>`,
    )
  return `<!doctype html><body style="margin:0"><main style="height:100vh;overflow-y:auto;font:15px/1.7 sans-serif">${paragraphs.join("")}</main>`
}

const STEPS = 120
/** What a wheel that is turned fast moves in a frame, in pixels. */
const WHEEL_PX = 240

/** What runs in the page, as text: a bundler's helpers are not there. */
const SCROLL = `async ([selector, steps, wheel]) => {
  const box = document.querySelector(selector)
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const run = async (placeAt) => {
    const times = []
    let before = await frame()
    for (let i = 0; i < steps; i++) {
      box.scrollTop = placeAt(i)
      const at = await frame()
      times.push(at - before)
      before = at
    }
    times.sort((a, b) => a - b)
    return [times[Math.floor(steps / 2)], times[Math.floor(steps * 0.95)]]
  }
  const all = box.scrollHeight - box.clientHeight
  const byWheel = await run((i) => i * wheel)
  const byBar = await run((i) => (i < steps / 2 ? (2 * i) / steps : 2 - (2 * i) / steps) * all)
  return [...byWheel, ...byBar]
}`

export type Frames = {
  readonly wheel_median_ms: number
  readonly wheel_p95_ms: number
  readonly bar_median_ms: number
  readonly bar_p95_ms: number
}

/** Scrolls a box as a fast wheel does, then as one who drags its bar from top to end and back. Time between frames. */
export const scroll = async (page: Page, selector: string): Promise<Frames> => {
  const argument = JSON.stringify([selector, STEPS, WHEEL_PX])
  const times = (await page.evaluate(`(${SCROLL})(${argument})`)) as number[]
  const [wheel_median_ms, wheel_p95_ms, bar_median_ms, bar_p95_ms] = times.map((ms) => Number(ms.toFixed(1)))
  return {
    wheel_median_ms: wheel_median_ms!,
    wheel_p95_ms: wheel_p95_ms!,
    bar_median_ms: bar_median_ms!,
    bar_p95_ms: bar_p95_ms!,
  }
}
