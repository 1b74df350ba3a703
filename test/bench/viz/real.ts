import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { passagesOf } from "#lib/documents/clip-chunks.ts"
import { createBuiltinEmbedder } from "#lib/engines/embedding/builtin.ts"
import { type Recording, readRecordings, wordsOf } from "../../../scripts/eval/recordings.ts"

/** Where evaluation recordings lie when nobody says so: what is there is not part of the repository. */
const FOLDERS = [process.env.EVAL_DATA, "shared/eval", "../shared/eval"]
/** Short passages, so that some dozens of recordings give thousands. */
const CHARACTERS = [700, 350, 200, 120] as const
/** A prime that divides no number of passages met here. */
const LEAP = 7919

const filesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name))

const isRecording = (value: unknown): value is Recording =>
  typeof value === "object" && value !== null && Array.isArray((value as Recording).utterances)

/** The evaluation recordings of a folder or a list of files; none when there is no such folder. */
export const evaluationRecordings = (data: string | undefined): Recording[] => {
  const folder = data === undefined ? FOLDERS.find((f) => f !== undefined && existsSync(f)) : undefined
  const files = data?.split(",") ?? (folder ? filesOf(folder) : [])
  return files.flatMap((file) => [readRecordings(file)].flat().filter(isRecording))
}

/**
 * Vectors of real speech: titles and passages of the recordings by the builtin embedder, no two texts alike, the longer
 * passages first. n × dims, or null when the recordings do not hold so many.
 */
export const realVectors = async (recordings: readonly Recording[], n: number) => {
  const texts = new Set(recordings.flatMap((r) => r.titles_l1 ?? []))
  const transcripts = recordings.map((r) => ({ title: r.id, transcription: wordsOf(r) }))
  for (const size of CHARACTERS) {
    const all = transcripts.flatMap((clip) => passagesOf(clip, size).map((p) => p.text))
    // In leaps, so that what is taken comes from all recordings.
    for (let i = 0; i < all.length && texts.size < n; i++) texts.add(all[(i * LEAP) % all.length]!)
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
