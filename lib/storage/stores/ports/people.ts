import type { IfMatch } from "../../../domain/clip-version.ts"
import type {
  ClipSpeakerPatch,
  PeopleList,
  PeopleQuery,
  Person,
  PersonClipList,
  PersonRef,
  SpeakerRef,
} from "../../../domain/people/people.ts"
import type { SearchQuery, WordsHit } from "../../../domain/search.ts"

/** Who a speaker of a clip is, or is not. */
export type StoredLink = {
  readonly speaker: string
  readonly person: PersonRef
  readonly state: "confirmed" | "automatic" | "rejected"
  readonly score: number | null
}

/** A speaker embedding. Vectors have unit length. */
export type StoredEmbedding = SpeakerRef & {
  readonly embedder: string
  readonly vector: Float32Array
  /** The length of the speech that the vector was computed from. */
  readonly seconds: number
}

export type PersonEmbedding = StoredEmbedding & { readonly person: PersonRef }

/** What is known about the speakers of a clip. */
export type ClipPeople = {
  /** The names of the speakers by ID. */
  readonly names: Readonly<Record<string, string>>
  readonly links: readonly StoredLink[]
  readonly embeddings: readonly StoredEmbedding[]
}

/**
 * Stores people, who the speakers of clips are, and their speaker embeddings. Names that are written with `ClipStore.update`
 * choose or create people, too. Each change of a name counts as a change of the clip.
 */
export interface PeopleStore {
  /** Lists people by name. */
  list(query: PeopleQuery): Promise<PeopleList>
  /** Returns null for an unknown person, like the methods below. */
  get(id: string): Promise<Person | null>
  /** Renames a person in all clips. @throws AppError `conflict` if another person has the name */
  rename(id: string, name: string): Promise<Person | null>
  /** Deletes a person: the name in all clips, the speaker embeddings of the person, and what was declined. Returns false for an unknown one. */
  delete(id: string): Promise<boolean>
  /** Merges people into one. @throws AppError `not_found` if one of the others is unknown, `invalid` if the person is among them */
  merge(id: string, from: readonly string[]): Promise<Person | null>
  /**
   * Moves speakers of a person to a new one.
   * @throws AppError `conflict` if a person has the name, `invalid` if one of the speakers is not the person
   */
  split(id: string, newId: string, name: string, speakers: readonly SpeakerRef[]): Promise<Person | null>
  /** Lists the clips in which the person speaks, newest first. */
  listClips(
    id: string,
    page: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<PersonClipList | null>
  /** Finds what the person says about something, best first. */
  searchWords(id: string, query: SearchQuery): Promise<WordsHit[] | null>

  /** Returns what is known about the speakers of a clip, or null for an unknown clip. */
  getClipPeople(clipId: string): Promise<ClipPeople | null>
  /**
   * Changes who a speaker is. Returns false for an unknown clip.
   * @throws AppError `not_found` for an unknown person, `precondition_failed`
   */
  editSpeaker(clipId: string, speaker: string, patch: ClipSpeakerPatch, ifMatch?: IfMatch): Promise<boolean>
  /** Returns the embedders that computed embeddings of a person. */
  listEmbedders(personId: string): Promise<string[]>
  /** Returns the embeddings of confirmed speakers with their people. */
  listPersonEmbeddings(embedder: string): Promise<PersonEmbedding[]>
  /** Returns the embeddings of speakers without a name, except of those who are not this person. */
  listUnnamedEmbeddings(
    embedder: string,
    personId: string,
  ): Promise<(StoredEmbedding & { readonly clipTitle: string })[]>
  /** Deletes all speaker embeddings. Returns their number. */
  deleteEmbeddings(): Promise<number>
}
