import type { TopicPoint } from "#lib/domain/map.ts"

/** The voices of a map: which of them leads each point, what they are called, and the number of those that nobody leads. */
export type Voices = { readonly of: Uint32Array; readonly names: readonly string[]; readonly nobody: number }

const unnamed = (id: string): string => (/^\d+$/.test(id) ? `Speaker ${Number(id) + 1}` : id)

/**
 * A voice that people named is one person in all recordings. One without a name is somebody of this recording only:
 * the first voice of one and of another are not the same.
 */
export const speakersOf = (points: readonly TopicPoint[]): Voices => {
  const names: string[] = []
  const known = new Map<string, number>()
  let nobody = -1
  const of = Uint32Array.from(points, ({ speaker, speaker_name, clip_id, clip_title }) => {
    const key = speaker === null ? "" : speaker_name ? `name ${speaker_name}` : `of ${clip_id} ${speaker}`
    const id = known.get(key) ?? names.length
    if (id === names.length) {
      known.set(key, id)
      names.push(speaker === null ? "Nobody speaks" : (speaker_name ?? `${unnamed(speaker)} · ${clip_title}`))
    }
    if (speaker === null) nobody = id
    return id
  })
  return { of, names, nobody }
}
