import type { TopicPoint } from "#lib/domain/map.ts"

/** The speaker of each point as an index into `names`. Points without a speaker have the index `noSpeaker`, or -1 if there are none. */
export type SpeakerAssignment = {
  readonly ids: Uint32Array
  readonly names: readonly string[]
  readonly noSpeaker: number
}

const defaultName = (id: string): string => (/^\d+$/.test(id) ? `Speaker ${Number(id) + 1}` : id)

/** Returns the name of who speaks longest in a topic, or null if nobody is known to speak. */
export const speakerNameOf = ({ speaker, speaker_name }: TopicPoint): string | null =>
  speaker === null ? null : (speaker_name ?? defaultName(speaker))

/**
 * Assigns a speaker to each point. A named speaker is the same person in all recordings. An unnamed one belongs to one
 * recording: "Speaker 1" of two recordings are different people.
 */
export const assignSpeakers = (points: readonly TopicPoint[]): SpeakerAssignment => {
  const names: string[] = []
  const known = new Map<string, number>()
  let noSpeaker = -1
  const ids = Uint32Array.from(points, ({ speaker, speaker_name, clip_id, clip_title }) => {
    const key = speaker === null ? "" : speaker_name ? `name ${speaker_name}` : `of ${clip_id} ${speaker}`
    const id = known.get(key) ?? names.length
    if (id === names.length) {
      known.set(key, id)
      names.push(speaker === null ? "No speaker" : (speaker_name ?? `${defaultName(speaker)} · ${clip_title}`))
    }
    if (speaker === null) noSpeaker = id
    return id
  })
  return { ids, names, noSpeaker }
}
