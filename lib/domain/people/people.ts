import * as z from "zod"
import { cleanName, isoTime, nextCursor, pageQuery, requireSomeField, textFilter } from "../schemas.ts"
import { searchQuery, wordsHit } from "../search.ts"
import { flatTopic } from "../topics/topic-tree.ts"

export const MAX_PEOPLE = 20_000
const MAX_MERGED = 100
const MAX_SPLIT_SPEAKERS = 1000

/** Two people do not have names that differ in capital and small letters only. */
export const personKey = (name: string): string => name.toLowerCase()

const personName = z.string().overwrite(cleanName).min(1).max(200)
const personId = z.string().min(1).max(100)

export const personRef = z.object({
  id: z.string().describe("The ID of the person"),
  name: z.string().describe("The name of the person"),
})
export type PersonRef = z.infer<typeof personRef>

/** A person who speaks in recordings. */
export const person = personRef.extend({
  created_at: isoTime.describe("When the name was first given to a speaker"),
  clips: z.int().min(0).describe("The number of clips in which a speaker has the name of this person"),
  speaking_s: z.number().min(0).describe("How long the person speaks in all clips together, in seconds"),
  embeddings: z
    .int()
    .min(0)
    .describe("The number of speaker embeddings that belong to confirmed names. 0: the person cannot be recognized"),
})
export type Person = z.infer<typeof person>

const PEOPLE_ORDERS = ["name", "-name", "-created_at", "created_at"] as const

export const peopleQuery = pageQuery.extend({
  q: textFilter.describe("Only people whose name contains this text, in capital or small letters"),
  sort: z.enum(PEOPLE_ORDERS).optional().describe("The order. `-` means descending; the default is `name`"),
})
export type PeopleQuery = z.infer<typeof peopleQuery>

export const peopleList = z.object({
  people: z.array(person).describe("A page of people"),
  total: z.int().min(0).optional().describe("The number of people that match. Only on the first page"),
  next_cursor: nextCursor,
})
export type PeopleList = z.infer<typeof peopleList>

export const personPatch = z.object({
  name: personName.describe("The new name, which all clips of the person get. No other person may have it"),
})
export type PersonPatch = z.infer<typeof personPatch>

export const personMerge = z.object({
  from: z
    .array(personId)
    .min(1)
    .max(MAX_MERGED)
    .describe(
      "The IDs of the people to merge into this one. They are deleted, and their clips get the name of this one",
    ),
})
export type PersonMerge = z.infer<typeof personMerge>

/** A speaker of a clip. */
export const speakerRef = z.object({
  clip_id: z.string().min(1).max(200).describe("The clip"),
  speaker: z.string().min(1).max(100).describe("The ID of the speaker in the clip"),
})
export type SpeakerRef = z.infer<typeof speakerRef>

export const personSplit = z.object({
  name: personName.describe("The name of the new person. No other person may have it"),
  speakers: z
    .array(speakerRef)
    .min(1)
    .max(MAX_SPLIT_SPEAKERS)
    .describe("The speakers of this person that are the new person"),
})
export type PersonSplit = z.infer<typeof personSplit>

export const LINK_STATES = ["confirmed", "automatic"] as const

/** A clip in which a person speaks. */
export const personClip = z.object({
  clip_id: z.string().describe("The clip"),
  clip_title: z.string().describe("The title of the clip"),
  created_at: isoTime.describe("When the clip was created"),
  duration_s: z.number().describe("The length of the recording in seconds"),
  speakers: z
    .array(
      z.object({
        speaker: z.string().describe("The ID of the speaker"),
        state: z.enum(LINK_STATES).describe("`confirmed` by a user, or `automatic`"),
        score: z.number().nullable().describe("The similarity that an automatic name was given for"),
        speaking_s: z.number().min(0).describe("How long the speaker speaks, in seconds"),
      }),
    )
    .describe("The speakers who are the person: more than one if diarization divided the person"),
  topics: z.array(flatTopic).describe("The topics of the second level in which the person speaks longest"),
})
export type PersonClip = z.infer<typeof personClip>

export const personClipList = z.object({
  clips: z.array(personClip).describe("A page of clips, newest first"),
  next_cursor: nextCursor,
})
export type PersonClipList = z.infer<typeof personClipList>

/** What a person says about something. */
export const personWords = z.object({
  words: z.array(wordsHit).describe("Passages that the person speaks, best first"),
})
export type PersonWords = z.infer<typeof personWords>

export const personWordsQuery = searchQuery

/** A speaker without a name who may be a person. */
export const suggestedSpeaker = speakerRef.extend({
  clip_title: z.string().describe("The title of the clip"),
  score: z.number().describe("The similarity to the person: 1 for the same voice, and near 0 or negative for another"),
})
export type SuggestedSpeaker = z.infer<typeof suggestedSpeaker>

export const suggestedSpeakers = z.object({
  speakers: z.array(suggestedSpeaker).describe("Speakers without a name who may be the person, most similar first"),
})
export type SuggestedSpeakers = z.infer<typeof suggestedSpeakers>

/** A speaker of a clip, with who it is. */
export const clipSpeaker = z.object({
  speaker: z.string().describe("The ID of the speaker"),
  name: z.string().nullable().describe("The name of the speaker. Null without one"),
  person: personRef
    .extend({
      state: z.enum(LINK_STATES).describe("`confirmed` by a user, or `automatic`"),
      score: z.number().nullable().describe("The similarity that an automatic name was given for"),
    })
    .nullable()
    .describe("The person. Null without a name"),
  suggestions: z
    .array(personRef.extend({ score: z.number().describe("The similarity of the speaker to the person") }))
    .describe("People whom a speaker without a name may be, most similar first. Declined ones are missing"),
  has_embedding: z.boolean().describe("True if there is a speaker embedding, without which nobody is recognized"),
})
export type ClipSpeaker = z.infer<typeof clipSpeaker>

export const clipSpeakers = z.object({
  speakers: z.array(clipSpeaker).describe("The speakers in the order of their IDs"),
})
export type ClipSpeakers = z.infer<typeof clipSpeakers>

const changes = z.object({
  name: personName.optional().describe("Names the speaker. The person with this name is chosen, or created"),
  person_id: personId
    .nullable()
    .optional()
    .describe("Names the speaker after this person. Null removes the name; the person is not suggested again"),
  rejected_person_id: personId.optional().describe("Declines a suggestion. The person is not suggested again"),
})

export const clipSpeakerPatch = requireSomeField(changes).refine((patch) => Object.keys(patch).length === 1, {
  error: "must have only one of name, person_id, rejected_person_id",
})
export type ClipSpeakerPatch = z.infer<typeof clipSpeakerPatch>
