import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import type { WordSpan } from "#lib/domain/transcript/words.ts"

const root = join(import.meta.dirname, "../..")
export const SAMPLE = "three-subjects.flac"
export const sampleSound = readFileSync(join(root, "public/samples", SAMPLE))

type Script = { turns: { voice: string; start_s: number; end_s: number; text: string }[] }

/** Returns the words of the sample with the times of its script, as a perfect transcription would have them. */
export const sampleWords = (): WordSpan[] => {
  const { turns } = JSON.parse(readFileSync(join(root, "public/samples/three-subjects.json"), "utf8")) as Script
  const speakers = [...new Set(turns.map((t) => t.voice))]
  return turns.flatMap(({ voice, start_s, end_s, text }) => {
    const list = text.split(/\s+/)
    const step = (end_s - start_s) / list.length
    return list.map((word, i) => ({
      word,
      start: start_s + i * step,
      end: start_s + (i + 1) * step,
      speaker: String(speakers.indexOf(voice)),
    }))
  })
}

const waitUntilDone = async (url: string, job: string): Promise<void> => {
  for (;;) {
    const { status, error } = (await (await fetch(`${url}/jobs/${job}`)).json()) as {
      status: string
      error?: { detail: string }
    }
    if (status === "done") return
    if (error) throw new Error(error.detail)
    await new Promise((wake) => setTimeout(wake, 150))
  }
}

/** Bytes of the FLAC signature and its STREAMINFO block, after which other metadata blocks may follow. */
const FLAC_HEAD_BYTES = 42
const FLAC_APPLICATION_BLOCK = 2

let variants = 0

/** Returns the sample with another metadata block on each call: an upload with the same hash would be the same clip. */
export const sampleVariant = (): Buffer<ArrayBuffer> => {
  const data = Buffer.from(`test${++variants}`)
  const block = Buffer.concat([Buffer.from([FLAC_APPLICATION_BLOCK, 0, 0, data.length]), data])
  return Buffer.concat([sampleSound.subarray(0, FLAC_HEAD_BYTES), block, sampleSound.subarray(FLAC_HEAD_BYTES)])
}

/** Uploads the sample with its words, so that it need not be transcribed. @returns the ID of a new clip */
export const addSample = async (url: string, title: string): Promise<string> => {
  const form = new FormData()
  form.set("transcription", JSON.stringify(sampleWords()))
  form.set("title", title)
  form.set("file", new Blob([sampleVariant()]), SAMPLE)
  const submitted = await fetch(`${url}/jobs/audio`, { method: "POST", body: form })
  const { job_id, session_id } = (await submitted.json()) as { job_id: string; session_id: string }
  await waitUntilDone(url, job_id)
  return session_id
}

/** Submits words without a recording. @returns the clip's ID */
export const addWords = async (url: string, title: string, transcription: readonly WordSpan[]): Promise<string> => {
  const headers = { "content-type": "application/json" }
  const source = `https://example.com/${encodeURIComponent(title)}.mp3`
  const body = JSON.stringify({ source, title, transcription })
  const submitted = await fetch(`${url}/jobs/audio`, { method: "POST", headers, body })
  const { job_id, session_id } = (await submitted.json()) as { job_id: string; session_id: string }
  await waitUntilDone(url, job_id)
  return session_id
}

/** Runs the topic stages of a clip again with other settings and waits until they are done. */
export const rerunTopics = async (url: string, id: string, settings: object): Promise<void> => {
  const headers = { "content-type": "application/json" }
  const submitted = await fetch(`${url}/clips/${id}/topics`, {
    method: "POST",
    headers,
    body: JSON.stringify(settings),
  })
  await waitUntilDone(url, ((await submitted.json()) as { job_id: string }).job_id)
}

const axe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8")

const AXE_OPTIONS = {
  runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  // Describing each element that passes takes time.
  resultTypes: ["violations"],
  preload: false,
}

/** The rules whose result depends on the color theme. */
const THEME_OPTIONS = { ...AXE_OPTIONS, runOnly: { type: "rule", values: ["color-contrast"] } }

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] }

const checkByAxe = async (page: Page, selector: string, options: object): Promise<void> => {
  // Wait for colour transitions to end: axe checks the contrast of the current colours.
  await page.waitForTimeout(450)
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const found = (await page.evaluate(`axe.run(${JSON.stringify(selector)}, ${JSON.stringify(options)})`)) as {
    violations: Violation[]
  }
  expect(
    found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((n) => `${n.target.join(" ")} ${n.failureSummary}`).join(" | ")}`,
    ),
  ).toEqual([])
}

/** Expects that axe finds no violation of WCAG 2.2, levels A and AA, on the page as it is now, or in a part of it. */
export const expectAccessible = (page: Page, selector = "html"): Promise<void> =>
  checkByAxe(page, selector, AXE_OPTIONS)

/** Expects the same of a page that passed in another color theme, which takes a fraction of the time. */
export const expectAccessibleTheme = (page: Page): Promise<void> => checkByAxe(page, "html", THEME_OPTIONS)
