import type { Clip } from "#lib/contracts/clips.ts"

/** A voice of a recording: its id, what it is called, its place among the voices (for its colour), how long it speaks. */
export type Voice = { readonly id: string; readonly name: string; readonly rank: number; readonly seconds: number }

const unnamed = (id: string): string => (/^\d+$/.test(id) ? `Speaker ${Number(id) + 1}` : id)

/** The voices in the order in which they are first heard. */
export const voicesOf = ({ transcription, speakers }: Pick<Clip, "transcription" | "speakers">): Voice[] => {
  const seconds = new Map<string, number>()
  for (const { speaker, start, end } of transcription) seconds.set(speaker, (seconds.get(speaker) ?? 0) + end - start)
  return [...seconds].map(([id, spoken], rank) => ({ id, name: speakers[id] || unnamed(id), rank, seconds: spoken }))
}

/** An id that no voice has yet. */
export const freshVoice = (voices: readonly Voice[]): string => {
  const taken = new Set(voices.map((v) => v.id))
  let n = 0
  while (taken.has(String(n))) n++
  return String(n)
}
