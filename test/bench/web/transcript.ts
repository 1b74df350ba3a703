import type { Page } from "playwright-core"
import type { WordSpan } from "#lib/domain/transcript/words.ts"

const DURATION_S = 6 * 3600
const VOCABULARY =
  "we talked about the boat and the harbour in spring then bees stay warm close together while a comet crosses the northern sky over our small observatory".split(
    " ",
  )

/** Returns the words of six hours: four speakers, two words per second, twelve words per sentence. Always the same. */
export const createSixHours = (): WordSpan[] =>
  Array.from({ length: 2 * DURATION_S }, (_, i) => {
    const word = VOCABULARY[(i * 7 + Math.floor(i / 12)) % VOCABULARY.length]!
    return {
      word: i % 12 === 11 ? `${word}.` : word,
      start: i / 2,
      end: i / 2 + 0.4,
      speaker: String(Math.floor(i / 96) % 4),
    }
  })

/** Submits words and waits until the job is done. @returns the ID of the clip */
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

/** Returns a page with one element per word, without a virtual list. */
export const renderPlainPage = (words: readonly WordSpan[]): string => {
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
/** Pixels per frame of a wheel that is turned fast. */
const WHEEL_PX = 240

/** Runs in the page. As text, it contains no calls of a bundler's helper functions, which the page lacks. */
const SCROLL = `async ([selector, steps, wheel]) => {
  const box = document.querySelector(selector)
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const run = async (scrollTopAt) => {
    const times = []
    let before = await frame()
    for (let i = 0; i < steps; i++) {
      box.scrollTop = scrollTopAt(i)
      const now = await frame()
      times.push(now - before)
      before = now
    }
    times.sort((a, b) => a - b)
    return [times[Math.floor(steps / 2)], times[Math.floor(steps * 0.95)]]
  }
  const max = box.scrollHeight - box.clientHeight
  const byWheel = await run((i) => i * wheel)
  const byBar = await run((i) => (i < steps / 2 ? (2 * i) / steps : 2 - (2 * i) / steps) * max)
  return [...byWheel, ...byBar]
}`

export type FrameTimes = {
  readonly wheel_median_ms: number
  readonly wheel_p95_ms: number
  readonly bar_median_ms: number
  readonly bar_p95_ms: number
}

/** Scrolls an element with a fast wheel, then drags its scroll bar to the end and back. @returns the times between frames */
export const scroll = async (page: Page, selector: string): Promise<FrameTimes> => {
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
