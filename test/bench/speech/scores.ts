/** A speaker turn, with times in seconds. */
export type Turn = { readonly start: number; readonly end: number; readonly speaker: string }

const FRAME_S = 0.01

/** Returns the set of active speakers for each frame. */
const toFrames = (turns: readonly Turn[], length_s: number): Set<string>[] => {
  const out = Array.from({ length: Math.ceil(length_s / FRAME_S) }, () => new Set<string>())
  for (const { start, end, speaker } of turns)
    for (let f = Math.max(0, Math.round(start / FRAME_S)); f < Math.min(out.length, Math.round(end / FRAME_S)); f++)
      out[f]!.add(speaker)
  return out
}

/** Maps detected speakers to reference speakers, greedily by the time that they share. */
const matchSpeakers = (reference: Set<string>[], detected: Set<string>[]): Map<string, string> => {
  const sharedFrames = new Map<string, number>()
  for (const [f, speakers] of detected.entries())
    for (const d of speakers)
      for (const r of reference[f] ?? []) sharedFrames.set(`${d}\0${r}`, (sharedFrames.get(`${d}\0${r}`) ?? 0) + 1)
  const matches = new Map<string, string>()
  const matched = new Set<string>()
  for (const [pair] of [...sharedFrames].sort((a, b) => b[1] - a[1])) {
    const [d = "", r = ""] = pair.split("\0")
    if (matches.has(d) || matched.has(r)) continue
    matches.set(d, r)
    matched.add(r)
  }
  return matches
}

/**
 * Returns the diarization error rate: missed, false and wrongly attributed speech divided by all speech, in frames of
 * 10 ms without a collar (NIST RT-09).
 */
export const diarizationErrorRate = (reference: readonly Turn[], detected: readonly Turn[]): number => {
  const length_s = Math.max(0, ...reference.map((t) => t.end), ...detected.map((t) => t.end))
  const [referenceFrames, detectedFrames] = [toFrames(reference, length_s), toFrames(detected, length_s)]
  const matches = matchSpeakers(referenceFrames, detectedFrames)
  let [wrong, all] = [0, 0]
  for (const [f, expected] of referenceFrames.entries()) {
    const correct = [...detectedFrames[f]!].filter((d) => expected.has(matches.get(d) ?? "")).length
    wrong += Math.max(expected.size, detectedFrames[f]!.size) - correct
    all += expected.size
  }
  return all === 0 ? 0 : wrong / all
}

const MAX_PAUSE_S = 0.5

/** Joins words of one speaker to turns. A longer pause starts another turn. */
export const joinTurns = (words: readonly { start: number; end: number; speaker: string }[]): Turn[] => {
  const turns: { start: number; end: number; speaker: string }[] = []
  for (const { start, end, speaker } of words) {
    const last = turns.at(-1)
    if (last && last.speaker === speaker && start - last.end < MAX_PAUSE_S) last.end = Math.max(last.end, end)
    else turns.push({ start, end, speaker })
  }
  return turns
}

/** Parses speaker turns in RTTM, the format of diarization corpora. */
export const parseRttm = (text: string): Turn[] =>
  text
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([kind]) => kind === "SPEAKER")
    .map(([, , , start, length, , , speaker = ""]) => ({
      start: Number(start),
      end: Number(start) + Number(length),
      speaker,
    }))
