"use client"
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { PeopleQuery, PersonSplit } from "#lib/api/client/types.ts"
import { client } from "./client.ts"
import { invalidateLibrary, queryKeys } from "./query-keys.ts"
import { createUndoableDeletion } from "./undoable-deletion.ts"

const PAGE_SIZE = 50
const MAX_HITS = 20

/** Returns the people that match, page by page. */
export const usePeople = (query: Pick<PeopleQuery, "q" | "sort">) =>
  useInfiniteQuery({
    queryKey: queryKeys.peopleList(query),
    queryFn: ({ signal, pageParam }) =>
      client.people({ ...query, limit: PAGE_SIZE, ...(pageParam !== undefined && { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  })

export const usePerson = (id: string) =>
  useQuery({ queryKey: queryKeys.person(id), queryFn: ({ signal }) => client.person(id, { signal }) })

/** Returns the recordings in which a person speaks, page by page. */
export const usePersonClips = (id: string) =>
  useInfiniteQuery({
    queryKey: queryKeys.personClips(id),
    queryFn: ({ signal, pageParam }) =>
      client.personClips(id, { limit: PAGE_SIZE, ...(pageParam !== undefined && { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  })

/** Finds what a person says about something. */
export const usePersonWords = (id: string, q: string) =>
  useQuery({
    queryKey: queryKeys.personWords(id, q),
    queryFn: ({ signal }) => client.personWords(id, { q, limit: MAX_HITS }, { signal }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
  })

export const useSuggestedSpeakers = (id: string) =>
  useQuery({
    queryKey: queryKeys.suggestedSpeakers(id),
    queryFn: ({ signal }) => client.suggestedSpeakers(id, { signal }),
  })

/** Returns mutations of people. What shows names is reloaded; forms show failures themselves. */
export const usePersonActions = (id: string) => {
  const queryClient = useQueryClient()
  const onSuccess = () => {
    // A name may be part of every recording.
    void queryClient.invalidateQueries({ queryKey: queryKeys.clip() })
    void invalidateLibrary(queryClient)
  }
  return {
    rename: useMutation({ mutationFn: (name: string) => client.renamePerson(id, { name }), onSuccess }),
    mergeInto: useMutation({ mutationFn: (into: string) => client.mergePeople(into, { from: [id] }), onSuccess }),
    split: useMutation({ mutationFn: (split: PersonSplit) => client.splitPerson(id, split), onSuccess }),
    answer: useMutation({
      mutationFn: ({ clipId, speaker, isPerson }: { clipId: string; speaker: string; isPerson: boolean }) =>
        client.editClipSpeaker(clipId, speaker, isPerson ? { person_id: id } : { rejected_person_id: id }),
      onSuccess,
    }),
  }
}

type DeletedPerson = { readonly id: string; readonly name: string }

export const { useHidden: useHiddenPeople, useDelete: useDeletePeople } = createUndoableDeletion<DeletedPerson>({
  remove: async (id) => {
    await client.deletePerson(id)
  },
  onEnd: (queryClient) => {
    void queryClient.invalidateQueries({ queryKey: queryKeys.clip() })
    void invalidateLibrary(queryClient)
  },
  describe: ([first, ...others]) =>
    others.length === 0 ? `Deleted “${first!.name}”` : `Deleted ${others.length + 1} people`,
})
