import { AppError } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import type {
  PeopleList,
  PeopleQuery,
  Person,
  PersonClipList,
  PersonMerge,
  PersonPatch,
  PersonSplit,
  PersonWords,
} from "../../domain/people/people.ts"
import type { SearchQuery } from "../../domain/search.ts"
import { type Deps, requireStore } from "../deps.ts"

type PeopleDeps = Pick<Deps, "store" | "groups">
export type PersonParams = { readonly id: string }

const unknownPerson = (id: string): AppError => new AppError("not_found", `unknown person '${id}'`)

const requirePerson = <T>(found: T | null, id: string): T => {
  if (found === null) throw unknownPerson(id)
  return found
}

/** Lists people, by name unless the query says otherwise. */
export const listPeople = (deps: PeopleDeps, query: PeopleQuery): Promise<PeopleList> =>
  requireStore(deps).people.list(query)

/** @throws AppError `not_found` */
export const getPerson = async (deps: PeopleDeps, { id }: PersonParams): Promise<Person> =>
  requirePerson(await requireStore(deps).people.get(id), id)

/** Renames a person in all clips. @throws AppError `not_found`, `conflict` if another person has the name */
export const renamePerson = async (deps: PeopleDeps, { id }: PersonParams, { name }: PersonPatch): Promise<Person> =>
  requirePerson(await requireStore(deps).people.rename(id, name), id)

/** Deletes a person with the name in all clips and the speaker embeddings. @throws AppError `not_found` */
export const deletePerson = async (deps: PeopleDeps, { id }: PersonParams): Promise<void> => {
  if (!(await requireStore(deps).people.delete(id))) throw unknownPerson(id)
}

/** Merges people into one, whose name their clips get. @throws AppError `not_found`, `invalid` */
export const mergePeople = async (deps: PeopleDeps, { id }: PersonParams, { from }: PersonMerge): Promise<Person> =>
  requirePerson(await requireStore(deps).people.merge(id, from), id)

/** Makes some speakers of a person a new person. @throws AppError `not_found`, `conflict`, `invalid` */
export const splitPerson = async (
  deps: PeopleDeps,
  { id }: PersonParams,
  { name, speakers }: PersonSplit,
): Promise<Person> => requirePerson(await requireStore(deps).people.split(id, newId(), name, speakers), id)

/** Lists the clips in which a person speaks, newest first. @throws AppError `not_found` */
export const listPersonClips = async (
  deps: PeopleDeps,
  { id }: PersonParams,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<PersonClipList> => requirePerson(await requireStore(deps).people.listClips(id, page), id)

/** Finds what a person says about something. @throws AppError `not_found` */
export const searchPersonWords = async (
  deps: PeopleDeps,
  { id }: PersonParams,
  query: SearchQuery,
): Promise<PersonWords> => ({ words: requirePerson(await requireStore(deps).people.searchWords(id, query), id) })
