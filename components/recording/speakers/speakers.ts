import type { Clip } from "#lib/domain/clips.ts"

/** A speaker of a recording: its id, what it is called, its place among the speakers (for its colour), how long it speaks. */
export type Speaker = { readonly id: string; readonly name: string; readonly rank: number; readonly duration_s: number }

const isNumber = (id: string): boolean => /^\d{1,6}$/.test(id)
const getDefaultName = (id: string): string => (isNumber(id) ? `Speaker ${Number(id) + 1}` : id)

/**
 * The speakers by their ids: numbers, which an engine gives in the order in which it hears them, then names. A speaker keeps
 * its place and colour whatever becomes of another's words.
 */
export const listSpeakers = ({ transcription, speakers }: Pick<Clip, "transcription" | "speakers">): Speaker[] => {
  const durations = new Map<string, number>()
  for (const { speaker, start, end } of transcription)
    durations.set(speaker, (durations.get(speaker) ?? 0) + end - start)
  const ids = [...durations.keys()]
  const numbers = ids.filter(isNumber).sort((a, b) => Number(a) - Number(b))
  const names = ids.filter((id) => !isNumber(id)).sort()
  const free = Number(numbers.at(-1) ?? -1) + 1
  return [...numbers, ...names].map((id) => ({
    id,
    name: speakers[id] || getDefaultName(id),
    rank: isNumber(id) ? Number(id) : free + names.indexOf(id),
    duration_s: durations.get(id)!,
  }))
}

/** An id that no speaker has yet. */
export const getUnusedSpeakerId = (speakers: readonly Speaker[]): string => {
  const taken = new Set(speakers.map((v) => v.id))
  let n = 0
  while (taken.has(String(n))) n++
  return String(n)
}
