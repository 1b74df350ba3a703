import { readdirSync } from "node:fs"
import { join } from "node:path"
import { buildProfiles, rankPeople, recognizeSpeakers, toUnitLength } from "#lib/domain/people/recognize.ts"
import { thresholdsOf } from "#lib/domain/people/thresholds.ts"
import { decodePcm, SAMPLE_RATE } from "#lib/engines/speech/audio/decode.ts"
import { createBuiltinEmbedder } from "#lib/engines/speech/speaker-embedding/builtin-embedder.ts"

/**
 * Measures the recognition of people by the builtin embedder: FOLDER/VOICE/SESSION.wav. In each of ten repetitions, half of the
 * voices are people with two confirmed sessions, and the others are strangers.
 *
 *   npm run bench -- people FOLDER
 */
const REPETITIONS = 10
const signal = new AbortController().signal

type Session = { readonly voice: string; readonly vector: Float32Array; readonly seconds: number }

const readSamples = async (path: string): Promise<Int16Array> => {
  const blocks: Int16Array[] = []
  for await (const block of decodePcm({ path, declared_s: null, signal })) blocks.push(block)
  return Int16Array.from(blocks.flatMap((block) => [...block]))
}

const readSessions = async (folder: string): Promise<Session[]> => {
  const embedder = createBuiltinEmbedder()
  const sessions: Session[] = []
  for (const voice of readdirSync(folder).sort())
    for (const file of readdirSync(join(folder, voice)).sort()) {
      const pcm = await readSamples(join(folder, voice, file))
      const vector = await embedder.embed(pcm, signal)
      if (vector) sessions.push({ voice, vector: toUnitLength(vector), seconds: pcm.length / SAMPLE_RATE })
    }
  return sessions
}

/** Returns the rate at which as many sessions of one voice differ as those of two voices agree, with its score. */
const equalErrorRate = (sessions: readonly Session[]) => {
  const pairs = sessions.flatMap((a, i) =>
    sessions.slice(i + 1).map((b) => ({
      isSame: a.voice === b.voice,
      score: a.vector.reduce((sum, x, k) => sum + x * b.vector[k]!, 0),
    })),
  )
  pairs.sort((a, b) => a.score - b.score)
  const same = pairs.filter(({ isSame }) => isSame).length
  let [missed, wrong] = [0, pairs.length - same]
  for (const { isSame, score } of pairs) {
    if (missed / same >= wrong / (pairs.length - same)) return { rate: missed / same, score }
    if (isSame) missed++
    else wrong--
  }
  return { rate: 1, score: 1 }
}

/** A generator with a seed (mulberry32), so that each run draws the same voices. */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

const measure = (sessions: readonly Session[], apply: number, seed: number) => {
  const draw = random(seed)
  const voices = [...new Set(sessions.map(({ voice }) => voice))]
    .map((voice) => ({ voice, at: draw() }))
    .sort((a, b) => a.at - b.at)
    .map(({ voice }) => voice)
  const people = new Set(voices.slice(0, Math.ceil(voices.length / 2)))
  const isConfirmed = new Set([...people].flatMap((voice) => sessions.filter((s) => s.voice === voice).slice(0, 2)))
  const profiles = buildProfiles([...isConfirmed].map((s) => ({ ...s, person: { id: s.voice, name: s.voice } })))
  const thresholds = { ...thresholdsOf("builtin:1", apply)!, minSeconds: 0 }
  const counts = { right: 0, missed: 0, wrong: 0, known: 0, strangers: 0, suggested: 0 }
  for (const session of sessions.filter((s) => !isConfirmed.has(s))) {
    const isKnown = people.has(session.voice)
    const [named] = recognizeSpeakers([{ speaker: "0", ...session }], profiles, thresholds, () => false)
    counts[isKnown ? "known" : "strangers"]++
    if (named && named.person.id !== session.voice) counts.wrong++
    else if (named) counts.right++
    else if (isKnown) counts.missed++
    const [best] = rankPeople(session.vector, profiles)
    if (isKnown && best?.person.id === session.voice && best.score >= thresholds.suggest) counts.suggested++
  }
  const { right, missed, wrong, known, strangers, suggested } = counts
  return [right / known, missed / known, wrong / (known + strangers), suggested / known]
}

const percent = (values: readonly number[]): string => {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length
  const spread = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length)
  return `${(100 * mean).toFixed(1)} ± ${(100 * spread).toFixed(1)}`.padStart(13)
}

const print = (text: string): boolean => process.stdout.write(`${text}\n`)

export const run = async ([folder]: string[]): Promise<void> => {
  if (!folder) throw new Error("usage: npm run bench -- people FOLDER, which contains VOICE/SESSION.wav")
  const sessions = await readSessions(folder)
  const { rate, score } = equalErrorRate(sessions)
  print(`${sessions.length} sessions of ${new Set(sessions.map(({ voice }) => voice)).size} voices`)
  print(`equal error rate of pairs: ${(100 * rate).toFixed(1)} % at ${score.toFixed(2)}`)
  print("threshold     right %      missed %       wrong %   suggested %")
  for (const apply of [0.82, 0.86, 0.9, 0.92, 0.94]) {
    const runs = Array.from({ length: REPETITIONS }, (_, seed) => measure(sessions, apply, seed))
    print([apply.toFixed(2).padEnd(9), ...[0, 1, 2, 3].map((i) => percent(runs.map((run) => run[i]!)))].join(" "))
  }
}
