import { readdirSync } from "node:fs"
import { join } from "node:path"
import { splitTranscript } from "#lib/documents/clip-chunks.ts"
import { createBuiltinEmbedder } from "#lib/engines/embedding/builtin.ts"
import { buildWords } from "#lib/services/evaluation/recordings.ts"
import { type Recording, readRecordings } from "../../../scripts/eval/recordings.ts"

/** Lengths of chunks in characters. Short ones yield thousands from some dozens of recordings. */
const CHUNK_LENGTHS = [700, 350, 200, 120] as const
/** The step through the chunks, a prime, so that the selected ones come from all recordings. */
const STEP = 7919

const listJsonFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name))

const isRecording = (value: unknown): value is Recording =>
  typeof value === "object" && value !== null && Array.isArray((value as Recording).utterances)

/** Reads evaluation recordings from a comma-separated list of files, or else from the folder `EVAL_DATA`, if it is set. */
export const readEvaluationRecordings = (data: string | undefined): Recording[] => {
  const folder = process.env.EVAL_DATA
  const files = data?.split(",") ?? (folder ? listJsonFiles(folder) : [])
  return files.flatMap((file) => [readRecordings(file)].flat().filter(isRecording))
}

/**
 * Embeds n different titles and chunks of recordings with the builtin embedder, longer chunks first. Returns n × dims
 * numbers, or null if the recordings contain fewer texts.
 */
export const embedRecordings = async (recordings: readonly Recording[], n: number) => {
  const texts = new Set(recordings.flatMap((r) => r.titles_l1 ?? []))
  const transcripts = recordings.map((r) => ({ title: r.id, transcription: buildWords(r) }))
  for (const size of CHUNK_LENGTHS) {
    const all = transcripts.flatMap((clip) => splitTranscript(clip, size).map((p) => p.text))
    for (let i = 0; i < all.length && texts.size < n; i++) texts.add(all[(i * STEP) % all.length]!)
  }
  if (texts.size < n) return null
  const embedder = createBuiltinEmbedder()
  const rows = await embedder.embed([...texts].slice(0, n), "document")
  const dims = rows[0]!.length
  const vectors = new Float32Array(new SharedArrayBuffer(4 * n * dims))
  rows.forEach((row, i) => {
    vectors.set(row, i * dims)
  })
  return { vectors, dims }
}
