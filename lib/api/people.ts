import * as z from "zod"
import {
  clipSpeakerPatch,
  clipSpeakers,
  peopleList,
  peopleQuery,
  person,
  personClipList,
  personMerge,
  personPatch,
  personSplit,
  personWords,
  personWordsQuery,
  suggestedSpeakers,
} from "../domain/people/people.ts"
import { pageQuery } from "../domain/schemas.ts"
import { clipParams } from "./clips.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

const PERSON_ID = "01a1f2c4-2c3d-7e4f-8a51-6b7c8d9e0f1a"

const personParams = z.object({ id: z.string().min(1).describe("The ID of the person") })
const speakerParams = clipParams.extend({
  speaker: z.string().min(1).max(100).describe("The ID of the speaker, such as `0`"),
})

const personResponse = { name: "Person", schema: person } as const
const clipSpeakersResponse = { name: "ClipSpeakers", schema: clipSpeakers } as const

export const peopleEndpoints = {
  listPeople: {
    method: "GET",
    path: "/people",
    scope: "read",
    summary: "Lists the people who speak in clips, by name",
    call: "people",
    needs: ["rag"],
    query: peopleQuery,
    response: { name: "PeopleList", schema: peopleList },
  },
  getPerson: {
    method: "GET",
    path: "/people/{id}",
    scope: "read",
    summary: "Returns a person",
    call: "person",
    needs: ["rag"],
    params: personParams,
    response: personResponse,
  },
  renamePerson: {
    method: "PATCH",
    path: "/people/{id}",
    scope: "write",
    summary: "Renames a person in all clips",
    call: "renamePerson",
    needs: ["rag"],
    params: personParams,
    body: { name: "PersonPatch", schema: personPatch, example: { name: "Ada Lovelace" } },
    response: personResponse,
    errors: [409, 507],
  },
  deletePerson: {
    method: "DELETE",
    path: "/people/{id}",
    scope: "write",
    summary: "Deletes a person everywhere: the name in all clips and the speaker embeddings. The clips stay",
    call: "deletePerson",
    needs: ["rag"],
    params: personParams,
    status: 204,
  },
  mergePeople: {
    method: "POST",
    path: "/people/{id}/merge",
    scope: "write",
    summary: "Merges people into this one, whose name their clips get",
    call: "mergePeople",
    needs: ["rag"],
    params: personParams,
    body: { name: "PersonMerge", schema: personMerge, example: { from: ["01a1f2c4-2c3d-7e4f-8a51-6b7c8d9e0f1b"] } },
    response: personResponse,
    errors: [507],
  },
  splitPerson: {
    method: "POST",
    path: "/people/{id}/split",
    scope: "write",
    summary: "Makes some of the speakers of a person a new person",
    call: "splitPerson",
    needs: ["rag"],
    params: personParams,
    body: {
      name: "PersonSplit",
      schema: personSplit,
      example: {
        name: "Grace",
        speakers: [{ clip_id: "fa678091-b771-53c5-bb5c-b97259498be6", speaker: "1" }],
      },
    },
    status: 201,
    response: { name: "CreatedPerson", schema: person.extend({ warnings: requestWarnings }) },
    location: "/people/{id}",
    errors: [409, 507],
  },
  listPersonClips: {
    method: "GET",
    path: "/people/{id}/clips",
    scope: "read",
    summary:
      "Lists the clips in which a person speaks, with the topics in which the person speaks longest, newest first",
    call: "personClips",
    needs: ["rag"],
    params: personParams,
    query: pageQuery,
    response: { name: "PersonClipList", schema: personClipList },
  },
  searchPersonWords: {
    method: "GET",
    path: "/people/{id}/words",
    scope: "read",
    summary: "Finds what a person says about something, in all clips",
    call: "personWords",
    needs: ["rag"],
    params: personParams,
    query: personWordsQuery,
    response: { name: "PersonWords", schema: personWords },
  },
  listSuggestedSpeakers: {
    method: "GET",
    path: "/people/{id}/suggestions",
    scope: "read",
    summary: "Lists speakers without a name who may be a person, most similar first",
    call: "suggestedSpeakers",
    needs: ["rag"],
    params: personParams,
    response: { name: "SuggestedSpeakers", schema: suggestedSpeakers },
  },
  listClipSpeakers: {
    method: "GET",
    path: "/clips/{id}/speakers",
    scope: "read",
    summary: "Lists the speakers of a clip with who they are and who they may be",
    call: "clipSpeakers",
    needs: ["rag"],
    params: clipParams,
    response: clipSpeakersResponse,
  },
  editClipSpeaker: {
    method: "PATCH",
    path: "/clips/{id}/speakers/{speaker}",
    scope: "write",
    summary: "Names a speaker after a person, confirms an automatic name, removes a name or declines a suggestion",
    call: "editClipSpeaker",
    needs: ["rag"],
    params: speakerParams,
    body: { name: "ClipSpeakerPatch", schema: clipSpeakerPatch, example: { person_id: PERSON_ID } },
    response: clipSpeakersResponse,
    errors: [409, 507],
    isVersioned: true,
  },
} as const satisfies Endpoints
