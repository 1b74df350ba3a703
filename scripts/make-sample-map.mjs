#!/usr/bin/env node
/**
 * Writes components/library/first-run/sample-points.json: the topics of the bundled recording with their places on the map.
 * Run it against a service with an empty library and the builtin engines: node scripts/make-sample-map.mjs URL
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

const url = process.argv[2]
const root = join(import.meta.dirname, "..")
const { turns } = JSON.parse(readFileSync(join(root, "public/samples/three-subjects.json"), "utf8"))
const voices = [...new Set(turns.map(({ voice }) => voice))]
const words = turns.flatMap(({ voice, start_s, end_s, text }) => {
  const list = text.split(/\s+/)
  const step = (end_s - start_s) / list.length
  const at = (i) => start_s + i * step
  return list.map((word, i) => ({ word, start: at(i), end: at(i + 1), speaker: String(voices.indexOf(voice)) }))
})
const read = async (path, body) => {
  const headers = { "content-type": "application/json" }
  const init = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) }
  const response = await fetch(new URL(path, url), init)
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}
const { job_id } = await read("/jobs/audio", {
  source: "name:sample",
  transcription: words,
  title: "Boats, bees and comets",
})
for (;;) {
  const { status, error } = await read(`/jobs/${job_id}`)
  if (error) throw new Error(error.detail)
  if (status === "done") break
  await sleep(200)
}
const { points } = await read("/viz/data")
const kept = points.map(({ topic_title, level, number, start_s, x, y, z }) => ({
  title: topic_title,
  level,
  number,
  start_s,
  place: [x, y, z].map((value) => Math.round(value * 1000) / 1000),
}))
writeFileSync(join(root, "components/library/first-run/sample-points.json"), `${JSON.stringify(kept, null, 2)}\n`)
