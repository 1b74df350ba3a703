import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { packageRoot } from "#lib/platform/package-root.ts"
import { parseRttm, type Turn } from "./scores.ts"

export type Recording = {
  readonly name: string
  readonly path: string
  /** What is said; null: nobody wrote it down. */
  readonly text: string | null
  /** Who speaks when; null: not known. */
  readonly turns: readonly Turn[] | null
}

const SOUND = new Set([".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a"])

/** The bundled recording, made by flite's voices: its text and turns are known to the letter. */
const bundled = (): Recording => {
  const base = join(packageRoot(import.meta.url), "public/samples/three-subjects")
  const truth = JSON.parse(readFileSync(`${base}.json`, "utf8")) as {
    text: string
    turns: { voice: string; start_s: number; end_s: number }[]
  }
  const turns = truth.turns.map((t) => ({ start: t.start_s, end: t.end_s, speaker: t.voice }))
  return { name: "three-subjects (synthesized)", path: `${base}.flac`, text: truth.text, turns }
}

const beside = (path: string, extension: string): string | null => {
  const file = path.slice(0, -extname(path).length) + extension
  return existsSync(file) ? readFileSync(file, "utf8") : null
}

/** The bundled recording, and those of a folder: NAME.txt beside one is its text, NAME.rttm its speakers. */
export const recordings = (dir: string | undefined): Recording[] => {
  const names =
    dir === undefined
      ? []
      : readdirSync(dir)
          .filter((name) => SOUND.has(extname(name)))
          .sort()
  const given = names.map((name) => {
    const path = join(dir!, name)
    const rttm = beside(path, ".rttm")
    return { name: basename(name), path, text: beside(path, ".txt"), turns: rttm === null ? null : parseRttm(rttm) }
  })
  return [bundled(), ...given]
}
