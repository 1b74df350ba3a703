import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import type { WordSpan } from "#lib/domain/transcript/words.ts"

const root = join(import.meta.dirname, "../..")
export const SAMPLE = "three-subjects.flac"
export const sampleSound = readFileSync(join(root, "public/samples", SAMPLE))

type Script = { turns: { voice: string; start_s: number; end_s: number; text: string }[] }

/** The sample's own words with the times that its script gives: what an engine without faults would hear. */
export const sampleWords = (): WordSpan[] => {
  const { turns } = JSON.parse(readFileSync(join(root, "public/samples/three-subjects.json"), "utf8")) as Script
  const voices = [...new Set(turns.map((t) => t.voice))]
  return turns.flatMap(({ voice, start_s, end_s, text }) => {
    const list = text.split(/\s+/)
    const step = (end_s - start_s) / list.length
    return list.map((word, i) => ({
      word,
      start: start_s + i * step,
      end: start_s + (i + 1) * step,
      speaker: String(voices.indexOf(voice)),
    }))
  })
}

const done = async (url: string, job: string): Promise<void> => {
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

/** Puts the sample into a library with its words, so that nobody has to listen to it. @returns the clip's id */
export const addSample = async (url: string, title: string): Promise<string> => {
  const form = new FormData()
  form.set("transcription", JSON.stringify(sampleWords()))
  form.set("title", title)
  form.set("file", new Blob([sampleSound]), SAMPLE)
  const submitted = await fetch(`${url}/jobs/audio`, { method: "POST", body: form })
  const { job_id, session_id } = (await submitted.json()) as { job_id: string; session_id: string }
  await done(url, job_id)
  return session_id
}

/** Puts words without a recording into a library. @returns the clip's id */
export const addWords = async (url: string, title: string, transcription: readonly WordSpan[]): Promise<string> => {
  const headers = { "content-type": "application/json" }
  const source = `https://example.com/${encodeURIComponent(title)}.mp3`
  const body = JSON.stringify({ source, title, transcription })
  const submitted = await fetch(`${url}/jobs/audio`, { method: "POST", headers, body })
  const { job_id, session_id } = (await submitted.json()) as { job_id: string; session_id: string }
  await done(url, job_id)
  return session_id
}

/** Makes a recording's topics anew with other settings, and waits for them. */
export const rerunTopics = async (url: string, id: string, settings: object): Promise<void> => {
  const headers = { "content-type": "application/json" }
  const submitted = await fetch(`${url}/clips/${id}/topics`, {
    method: "POST",
    headers,
    body: JSON.stringify(settings),
  })
  await done(url, ((await submitted.json()) as { job_id: string }).job_id)
}

const axe = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8")

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] }

/** WCAG 2.2 at levels A and AA, by axe, of what the page shows now. */
export const expectAccessible = async (page: Page): Promise<void> => {
  // Colours on their way are not those that are meant.
  await page.waitForTimeout(450)
  await page.evaluate(axe)
  const found = (await page.evaluate(
    `axe.run({ runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] } })`,
  )) as { violations: Violation[] }
  expect(
    found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((n) => `${n.target.join(" ")} ${n.failureSummary}`).join(" | ")}`,
    ),
  ).toEqual([])
}
