import type { WordSpan } from "#lib/domain/transcript/words.ts"
import type { Speaker } from "../speakers/speakers.ts"

/** The speakers that talk most get a lane each; the others share the last one. */
const MAX_LANES = 5
/** Words that are closer than this are drawn as one span. */
const MAX_GAP_S = 1

/** A time range in which a speaker speaks, in seconds. `rank` selects the color; null if the speaker is unknown. */
export type SpeechSpan = {
  readonly lane: number
  readonly rank: number | null
  readonly start_s: number
  readonly end_s: number
}

export const countLanes = (speakers: readonly Speaker[]): number => Math.max(1, Math.min(MAX_LANES, speakers.length))

/** Returns who speaks when, in lanes ordered by first appearance. Without speakers, all words are in one lane. */
export const listSpeechSpans = (words: readonly WordSpan[], speakers: readonly Speaker[]): SpeechSpan[] => {
  const byTime = [...speakers].sort((a, b) => b.duration_s - a.duration_s)
  const own = new Set(byTime.slice(0, byTime.length > MAX_LANES ? MAX_LANES - 1 : MAX_LANES).map((s) => s.id))
  const inOrder = speakers.filter((s) => own.has(s.id)).sort((a, b) => a.rank - b.rank)
  const lanes = new Map(inOrder.map((s, lane) => [s.id, lane]))
  const ranks = new Map(speakers.map((s) => [s.id, s.rank]))
  const spans: SpeechSpan[] = []
  const open = new Map<string, { lane: number; rank: number | null; start_s: number; end_s: number }>()
  for (const { speaker, start, end } of words) {
    const key = speakers.length > 0 ? speaker : ""
    const last = open.get(key)
    if (last && start - last.end_s <= MAX_GAP_S) last.end_s = Math.max(last.end_s, end)
    else {
      const lane = speakers.length > 0 ? (lanes.get(speaker) ?? MAX_LANES - 1) : 0
      const span = { lane, rank: ranks.get(speaker) ?? null, start_s: start, end_s: end }
      open.set(key, span)
      spans.push(span)
    }
  }
  return spans
}
