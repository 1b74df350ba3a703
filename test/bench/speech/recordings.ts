import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { packageRoot } from "#lib/platform/package-root.ts"
import { parseRttm, type Turn } from "./scores.ts"

export type Recording = {
  readonly name: string
  readonly path: string
  /** The reference transcript, or null if there is none. */
  readonly text: string | null
  /** The reference speaker turns, or null if there are none. */
  readonly turns: readonly Turn[] | null
}

const AUDIO_EXTENSIONS = new Set([".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a"])

/** Returns the bundled recording, which flite synthesized, so that its text and speaker turns are exact. */
const bundledRecording = (): Recording => {
  const base = join(packageRoot(import.meta.url), "public/samples/three-subjects")
  const reference = JSON.parse(readFileSync(`${base}.json`, "utf8")) as {
    text: string
    turns: { voice: string; start_s: number; end_s: number }[]
  }
  const turns = reference.turns.map((t) => ({ start: t.start_s, end: t.end_s, speaker: t.voice }))
  return { name: "three-subjects (synthesized)", path: `${base}.flac`, text: reference.text, turns }
}

/** Reads the file with the same name and another extension. Returns null if there is none. */
const readSibling = (path: string, extension: string): string | null => {
  const file = path.slice(0, -extname(path).length) + extension
  return existsSync(file) ? readFileSync(file, "utf8") : null
}

/** Lists the bundled recording and those of a folder, where NAME.txt is the text of NAME.wav and NAME.rttm its speakers. */
export const listRecordings = (dir: string | undefined): Recording[] => {
  const names =
    dir === undefined
      ? []
      : readdirSync(dir)
          .filter((name) => AUDIO_EXTENSIONS.has(extname(name)))
          .sort()
  const fromFolder = names.map((name) => {
    const path = join(dir!, name)
    const rttm = readSibling(path, ".rttm")
    return {
      name: basename(name),
      path,
      text: readSibling(path, ".txt"),
      turns: rttm === null ? null : parseRttm(rttm),
    }
  })
  return [bundledRecording(), ...fromFolder]
}
