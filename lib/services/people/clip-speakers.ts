import type { IfMatch } from "../../domain/clip-version.ts"
import type { ClipSpeaker, ClipSpeakerPatch, ClipSpeakers, SuggestedSpeakers } from "../../domain/people/people.ts"
import { buildProfiles, type Profile, rankPeople } from "../../domain/people/recognize.ts"
import { thresholdsOf } from "../../domain/people/thresholds.ts"
import type { ClipPeople } from "../../storage/stores/ports/people.ts"
import { type ClipRef, checkSpeakersExist, collectSpeakerIds, getClip, unknownClip } from "../clips/clips.ts"
import { type Deps, requireStore } from "../deps.ts"
import { getPerson, type PersonParams } from "./people.ts"

const MAX_SUGGESTIONS = 3
const MAX_SUGGESTED_SPEAKERS = 100

const byId = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true })

/** Reads what is known about the people whose embeddings are comparable with those of a clip. */
const readProfiles = async (deps: Deps, { embeddings }: ClipPeople): Promise<Profile[]> => {
  const [embedder] = new Set(embeddings.map((embedding) => embedding.embedder))
  if (embedder === undefined) return []
  return buildProfiles(await requireStore(deps).people.listPersonEmbeddings(embedder))
}

const describeSpeaker = (
  speaker: string,
  { names, links, embeddings }: ClipPeople,
  profiles: readonly Profile[],
): ClipSpeaker => {
  const own = links.filter((link) => link.speaker === speaker)
  const link = own.find(({ state }) => state !== "rejected")
  const embedding = embeddings.find((one) => one.speaker === speaker)
  const thresholds = embedding && thresholdsOf(embedding.embedder)
  const isRejected = (personId: string) => own.some(({ person }) => person.id === personId)
  const suggestions =
    embedding && thresholds && !link
      ? rankPeople(embedding.vector, profiles)
          .filter(({ person, score }) => score >= thresholds.suggest && !isRejected(person.id))
          .slice(0, MAX_SUGGESTIONS)
          .map(({ person, score }) => ({ ...person, score }))
      : []
  return {
    speaker,
    name: names[speaker] ?? null,
    person: link && link.state !== "rejected" ? { ...link.person, state: link.state, score: link.score } : null,
    suggestions,
    has_embedding: embedding !== undefined,
  }
}

/** Lists the speakers of a clip with who they are and who they may be. @throws AppError `not_found` */
export const listClipSpeakers = async (deps: Deps, { id }: ClipRef): Promise<ClipSpeakers> => {
  const store = requireStore(deps)
  const [clip, people] = [await getClip(deps, { id }), await store.people.getClipPeople(id)]
  if (people === null) throw unknownClip(id)
  const profiles = await readProfiles(deps, people)
  const ids = new Set([...collectSpeakerIds(clip), ...Object.keys(people.names)])
  return {
    speakers: [...ids].sort(byId).map((speaker) => describeSpeaker(speaker, people, profiles)),
  }
}

/**
 * Changes who a speaker of a clip is.
 * @throws AppError `not_found` for an unknown clip or person, `invalid` for an unknown speaker, `precondition_failed`
 */
export const editClipSpeaker = async (
  deps: Deps,
  { id, speaker }: ClipRef & { readonly speaker: string },
  patch: ClipSpeakerPatch,
  ifMatch?: IfMatch,
): Promise<ClipSpeakers> => {
  if (patch.person_id !== null) await checkSpeakersExist(deps, { id }, { [speaker]: "named" })
  if (!(await requireStore(deps).people.editSpeaker(id, speaker, patch, ifMatch))) throw unknownClip(id)
  return listClipSpeakers(deps, { id })
}

/** Lists speakers without a name, in all clips, who may be a person. @throws AppError `not_found` */
export const listSuggestedSpeakers = async (deps: Deps, { id }: PersonParams): Promise<SuggestedSpeakers> => {
  const { people } = requireStore(deps)
  await getPerson(deps, { id })
  const found: SuggestedSpeakers["speakers"] = []
  for (const embedder of await people.listEmbedders(id)) {
    const thresholds = thresholdsOf(embedder)
    const profiles = buildProfiles(await people.listPersonEmbeddings(embedder))
    if (!thresholds) continue
    for (const { vector, clip_id, speaker, clipTitle } of await people.listUnnamedEmbeddings(embedder, id)) {
      const [best] = rankPeople(vector, profiles)
      if (best?.person.id === id && best.score >= thresholds.suggest)
        found.push({ clip_id, speaker, clip_title: clipTitle, score: best.score })
    }
  }
  return { speakers: found.sort((a, b) => b.score - a.score).slice(0, MAX_SUGGESTED_SPEAKERS) }
}
