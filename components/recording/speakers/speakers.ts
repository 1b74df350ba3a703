import type { Clip } from "#lib/domain/clips.ts"

/** A voice of a recording: its id, what it is called, its place among the voices (for its colour), how long it speaks. */
export type Voice = { readonly id: string; readonly name: string; readonly rank: number; readonly seconds: number }

const isNumber = (id: string): boolean => /^\d{1,6}$/.test(id)
const unnamed = (id: string): string => (isNumber(id) ? `Speaker ${Number(id) + 1}` : id)

/**
 * The voices by their ids: numbers, which an engine gives in the order in which it hears them, then names. A voice keeps
 * its place and colour whatever becomes of another's words.
 */
export const voicesOf = ({ transcription, speakers }: Pick<Clip, "transcription" | "speakers">): Voice[] => {
  const seconds = new Map<string, number>()
  for (const { speaker, start, end } of transcription) seconds.set(speaker, (seconds.get(speaker) ?? 0) + end - start)
  const ids = [...seconds.keys()]
  const numbers = ids.filter(isNumber).sort((a, b) => Number(a) - Number(b))
  const names = ids.filter((id) => !isNumber(id)).sort()
  const free = Number(numbers.at(-1) ?? -1) + 1
  return [...numbers, ...names].map((id) => ({
    id,
    name: speakers[id] || unnamed(id),
    rank: isNumber(id) ? Number(id) : free + names.indexOf(id),
    seconds: seconds.get(id)!,
  }))
}

/** An id that no voice has yet. */
export const freshVoice = (voices: readonly Voice[]): string => {
  const taken = new Set(voices.map((v) => v.id))
  let n = 0
  while (taken.has(String(n))) n++
  return String(n)
}
