import type { TimedWord } from "../../../domain/transcript/words.ts"

export type VoiceTurn = { readonly start: number; readonly end: number }

/** Words of one speaker with longer pauses between them belong to different turns. */
const MAX_PAUSE_S = 0.5
/** Shorter turns contain much of what others say. */
const MIN_TURN_S = 0.6
/** An embedding uses this much of the longest turns of a speaker. */
const MAX_SPEECH_S = 60
const MAX_SPEAKERS = 50

/** Joins consecutive words of the same speaker into turns. */
const joinTurns = (words: readonly (TimedWord & { readonly speaker: string })[]) => {
  const turns: { speaker: string; start: number; end: number }[] = []
  for (const { speaker, start, end } of words) {
    const last = turns.at(-1)
    if (last && last.speaker === speaker && start - last.end <= MAX_PAUSE_S) last.end = Math.max(last.end, end)
    else turns.push({ speaker, start, end: Math.max(start, end) })
  }
  return turns
}

/** Chooses the speech by which speakers are recognized: the longest turns of each, up to a minute, by speaker. */
export const chooseTurns = (
  words: readonly (TimedWord & { readonly speaker: string })[],
): Map<string, readonly VoiceTurn[]> => {
  const bySpeaker = new Map<string, VoiceTurn[]>()
  for (const { speaker, start, end } of joinTurns(words))
    if (end - start >= MIN_TURN_S) bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), { start, end }])
  const chosen = [...bySpeaker].map(([speaker, turns]) => {
    let left = MAX_SPEECH_S
    const longest = turns
      .sort((a, b) => b.end - b.start - (a.end - a.start))
      .flatMap(({ start, end }) => {
        if (left <= 0) return []
        const turn = { start, end: Math.min(end, start + left) }
        left -= turn.end - turn.start
        return [turn]
      })
    return [speaker, longest.sort((a, b) => a.start - b.start), MAX_SPEECH_S - left] as const
  })
  chosen.sort((a, b) => b[2] - a[2])
  return new Map(chosen.slice(0, MAX_SPEAKERS).map(([speaker, turns]) => [speaker, turns]))
}
