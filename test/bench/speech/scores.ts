/** A stretch of one speaker, in seconds. */
export type Turn = { readonly start: number; readonly end: number; readonly speaker: string }

const FRAME_S = 0.01

const frames = (turns: readonly Turn[], length_s: number): Set<string>[] => {
  const out = Array.from({ length: Math.ceil(length_s / FRAME_S) }, () => new Set<string>())
  for (const { start, end, speaker } of turns)
    for (let f = Math.max(0, Math.round(start / FRAME_S)); f < Math.min(out.length, Math.round(end / FRAME_S)); f++)
      out[f]!.add(speaker)
  return out
}

/** The naming of heard speakers by true ones that agrees longest: the pair that shares most first. */
const naming = (said: Set<string>[], heard: Set<string>[]): Map<string, string> => {
  const shared = new Map<string, number>()
  for (const [f, names] of heard.entries())
    for (const h of names) for (const s of said[f] ?? []) shared.set(`${h}\0${s}`, (shared.get(`${h}\0${s}`) ?? 0) + 1)
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const [pair] of [...shared].sort((a, b) => b[1] - a[1])) {
    const [h = "", s = ""] = pair.split("\0")
    if (names.has(h) || taken.has(s)) continue
    names.set(h, s)
    taken.add(s)
  }
  return names
}

/**
 * Diarization error rate: missed, false and wrongly attributed speech in parts of all speech, by frames of 10 ms
 * without a collar (NIST RT-09). Speakers are named greedily by the time that they share.
 */
export const diarizationError = (said: readonly Turn[], heard: readonly Turn[]): number => {
  const length_s = Math.max(0, ...said.map((t) => t.end), ...heard.map((t) => t.end))
  const [truth, guess] = [frames(said, length_s), frames(heard, length_s)]
  const names = naming(truth, guess)
  let [wrong, all] = [0, 0]
  for (const [f, true_] of truth.entries()) {
    const right = [...guess[f]!].filter((h) => true_.has(names.get(h) ?? "")).length
    wrong += Math.max(true_.size, guess[f]!.size) - right
    all += true_.size
  }
  return all === 0 ? 0 : wrong / all
}

/** Turns of a transcript's words: one goes on over a pause of less than half a second. */
export const turnsOf = (words: readonly { start: number; end: number; speaker: string }[]): Turn[] => {
  const turns: { start: number; end: number; speaker: string }[] = []
  for (const { start, end, speaker } of words) {
    const last = turns.at(-1)
    if (last && last.speaker === speaker && start - last.end < 0.5) last.end = Math.max(last.end, end)
    else turns.push({ start, end, speaker })
  }
  return turns
}

/** A reference in RTTM, as corpora have it. */
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
