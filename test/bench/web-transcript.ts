import type { Page } from "playwright-core"
import type { WordSpan } from "#lib/contracts/words.ts"

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

/** What runs in the page, as text: a bundler's helpers are not there. */
const SCROLL = `async ([selector, steps]) => {
  const box = document.querySelector(selector)
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const times = []
  let before = await frame()
  for (let i = 0; i < steps; i++) {
    const part = i < steps / 2 ? (2 * i) / steps : 2 - (2 * i) / steps
    box.scrollTop = part * (box.scrollHeight - box.clientHeight)
    const at = await frame()
    times.push(at - before)
    before = at
  }
  times.sort((a, b) => a - b)
  return { median_ms: times[Math.floor(times.length / 2)], slowest_ms: times.at(-1) }
}`

/** Scrolls a box from its top to its end and back in equal steps, one a frame. Milliseconds between frames. */
export const scroll = async (page: Page, selector: string): Promise<{ median_ms: number; slowest_ms: number }> => {
  const argument = JSON.stringify([selector, STEPS])
  const times = (await page.evaluate(`(${SCROLL})(${argument})`)) as { median_ms: number; slowest_ms: number }
  const round = (ms: number) => Number(ms.toFixed(1))
  return { median_ms: round(times.median_ms), slowest_ms: round(times.slowest_ms) }
}
