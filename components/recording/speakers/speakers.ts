import type { Clip } from "#lib/domain/clips.ts"

/** A speaker of a recording. `rank` selects the color, `duration_s` is the total speaking time. */
export type Speaker = { readonly id: string; readonly name: string; readonly rank: number; readonly duration_s: number }

const isNumber = (id: string): boolean => /^\d{1,6}$/.test(id)
const getDefaultName = (id: string): string => (isNumber(id) ? `Speaker ${Number(id) + 1}` : id)

/**
 * Lists the speakers of a transcript: numeric IDs first, as engines assign them in order of appearance, then names. A
 * speaker keeps its rank when the words of another speaker change.
 */
export const listSpeakers = ({ transcription, speakers }: Pick<Clip, "transcription" | "speakers">): Speaker[] => {
  const durations = new Map<string, number>()
  for (const { speaker, start, end } of transcription)
    durations.set(speaker, (durations.get(speaker) ?? 0) + end - start)
  const ids = [...durations.keys()]
  const numbers = ids.filter(isNumber).sort((a, b) => Number(a) - Number(b))
  const names = ids.filter((id) => !isNumber(id)).sort()
  const firstFreeRank = Number(numbers.at(-1) ?? -1) + 1
  return [...numbers, ...names].map((id) => ({
    id,
    name: speakers[id] || getDefaultName(id),
    rank: isNumber(id) ? Number(id) : firstFreeRank + names.indexOf(id),
    duration_s: durations.get(id)!,
  }))
}

/** Returns a numeric speaker ID that is not in use. */
export const getUnusedSpeakerId = (speakers: readonly Speaker[]): string => {
  const taken = new Set(speakers.map((v) => v.id))
  let n = 0
  while (taken.has(String(n))) n++
  return String(n)
}
