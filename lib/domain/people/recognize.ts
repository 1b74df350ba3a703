import type { PersonRef } from "./people.ts"

/** A vector of unit length, and the length in seconds of the speech that it was computed from. */
export type SpeakerEmbedding = { readonly vector: Float32Array; readonly seconds: number }

/** When a speaker counts as a person. Scores are cosine similarities of the vectors of one embedder. */
export type Thresholds = {
  /** From this score on, the name is given automatically. */
  readonly apply: number
  /** From this score on, the person is suggested. */
  readonly suggest: number
  /** How much more similar than the next person the person must be for an automatic name. */
  readonly margin: number
  /** The least speech, in seconds, that an automatic name needs. */
  readonly minSeconds: number
}

/** A person with the mean of the embeddings of all speakers that were confirmed to be the person. */
export type Profile = { readonly person: PersonRef; readonly vector: Float32Array }

/** Longer speech does not make an embedding better. */
const MAX_WEIGHT_S = 60

const dot = (a: Float32Array, b: Float32Array): number => {
  if (a.length !== b.length) return Number.NEGATIVE_INFINITY
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

export const toUnitLength = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector))
  return length > 0 ? vector.map((x) => x / length) : vector
}

/** Averages the embeddings of each person, weighted by the seconds of speech. */
export const buildProfiles = (
  embeddings: readonly (SpeakerEmbedding & { readonly person: PersonRef })[],
): Profile[] => {
  const sums = new Map<string, { readonly person: PersonRef; readonly sum: Float32Array }>()
  for (const { person, vector, seconds } of embeddings) {
    const entry = sums.get(person.id) ?? { person, sum: new Float32Array(vector.length) }
    sums.set(person.id, entry)
    if (entry.sum.length !== vector.length) continue
    const weight = Math.min(seconds, MAX_WEIGHT_S)
    for (let i = 0; i < vector.length; i++) entry.sum[i]! += weight * vector[i]!
  }
  return [...sums.values()].map(({ person, sum }) => ({ person, vector: toUnitLength(sum) }))
}

export type RankedPerson = { readonly person: PersonRef; readonly score: number }

/** Returns the people by their similarity to an embedding, most similar first. */
export const rankPeople = (vector: Float32Array, profiles: readonly Profile[]): RankedPerson[] =>
  profiles
    .map((profile) => ({ person: profile.person, score: dot(vector, profile.vector) }))
    .filter(({ score }) => Number.isFinite(score))
    .sort((a, b) => b.score - a.score)

export type RecognizedSpeaker = RankedPerson & { readonly speaker: string }

/**
 * Decides which speakers of a recording get the name of a person automatically: those that are similar enough to one person,
 * and clearly less so to every other. A person gets at most one speaker, the most similar one.
 * @param isExcluded says that a speaker is not a person, or that the person is another speaker of the recording
 */
export const recognizeSpeakers = (
  speakers: readonly (SpeakerEmbedding & { readonly speaker: string })[],
  profiles: readonly Profile[],
  { apply, margin, minSeconds }: Thresholds,
  isExcluded: (speaker: string, personId: string) => boolean,
): RecognizedSpeaker[] => {
  const candidates = speakers.flatMap(({ speaker, vector, seconds }) => {
    if (seconds < minSeconds) return []
    const [best, next] = rankPeople(vector, profiles)
    const isClear = best && best.score >= apply && (!next || best.score - next.score >= margin)
    return isClear && !isExcluded(speaker, best.person.id) ? [{ speaker, ...best }] : []
  })
  const taken = new Set<string>()
  return candidates
    .sort((a, b) => b.score - a.score)
    .filter(({ person }) => !taken.has(person.id) && taken.add(person.id))
}
