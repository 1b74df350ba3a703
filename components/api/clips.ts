"use client"
import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import type { LabelRequest } from "#lib/domain/tags.ts"
import { type ClipRow, type ListQuery, ROW_FIELDS } from "../library/list/library-params.ts"
import { notifyError } from "../ui/toast-queue.ts"
import { client, errorMessage } from "./client.ts"
import { invalidateRecording, queryKeys } from "./query-keys.ts"

export type ClipPage = {
  readonly clips: readonly ClipRow[]
  readonly total?: number | undefined
  readonly next_cursor?: string | undefined
}
type ClipPages = InfiniteData<ClipPage, string>

/** The service answers before it has computed the map. The list is then loaded again, to get the colors of the topics. */
const RETRY_MS = 2000
const MAX_TRIES = 8

const lacksRegions = (list: ClipPages | undefined): boolean => {
  const topics = list?.pages[0]?.clips.flatMap((clip) => clip.strip) ?? []
  return topics.length > 0 && topics.every(({ region }) => region === null)
}

/** Loads recordings page by page, as the list is scrolled. `initial` is the first page as the server has rendered it. */
export const useClips = (query: ListQuery, initial?: ClipPage) =>
  useInfiniteQuery({
    queryKey: queryKeys.clipList(query),
    queryFn: ({ signal, pageParam }): Promise<ClipPage> =>
      client.clips({ ...query, ...(pageParam && { cursor: pageParam }) }, { signal, fields: ROW_FIELDS }),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (lacksRegions(state.data) && state.dataUpdateCount < MAX_TRIES ? RETRY_MS : false),
    ...(initial && { initialData: { pages: [initial], pageParams: [""] } }),
  })

/** Changes the recordings in every loaded list. A recording for which `change` returns null is removed. */
export const changeListedClips = (queryClient: QueryClient, change: (clip: ClipRow) => ClipRow | null): void => {
  queryClient.setQueriesData<ClipPages>({ queryKey: queryKeys.clipList() }, (list) => {
    if (!list) return list
    let removed = 0
    const pages = list.pages.map((page) => ({
      ...page,
      clips: page.clips.flatMap((clip) => {
        const changed = change(clip)
        if (changed === null) removed++
        return changed ?? []
      }),
    }))
    const [first, ...rest] = pages
    const total = first?.total
    return {
      ...list,
      pages: first && total !== undefined ? [{ ...first, total: Math.max(0, total - removed) }, ...rest] : pages,
    }
  })
}

/** Loads the values that filters can have, with their numbers of recordings. */
export const useFacets = () =>
  useQuery({
    queryKey: queryKeys.facets,
    queryFn: ({ signal }) => client.facets({ signal }),
    staleTime: 10_000,
  })

export const useSavedViews = () =>
  useQuery({
    queryKey: queryKeys.savedViews,
    queryFn: async ({ signal }) => (await client.savedViews({ signal })).views,
    staleTime: 30_000,
  })

/** Returns true if the library has the recording, false if not, and undefined while that is not known. */
export const useHasClip = (id: string): boolean | undefined =>
  useQuery({
    queryKey: queryKeys.hasClip(id),
    queryFn: async ({ signal }) => {
      try {
        await client.clip(id, { signal, fields: ["id"] })
        return true
      } catch (error) {
        if ((error as { status?: number }).status === 404) return false
        throw error
      }
    },
  }).data

/** Returns the IDs of all recordings. */
export const useClipIds = (): ReadonlySet<string> => {
  const { data } = useQuery({
    queryKey: queryKeys.clipIds,
    queryFn: async ({ signal }) => {
      const ids: string[] = []
      let cursor: string | undefined
      do {
        const page = await client.clips({ limit: 200, ...(cursor && { cursor }) }, { signal, fields: ["id"] })
        ids.push(...page.clips.map((clip) => clip.id))
        cursor = page.next_cursor
      } while (cursor !== undefined)
      return ids
    },
  })
  return new Set(data)
}

/** Returns a mutation that renames a recording and updates the loaded lists. */
export const useRename = () => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, title }: { id: string; title: string }) => client.editClip(id, { title }),
    onSuccess: (_clip, { id, title }) => {
      changeListedClips(queryClient, (clip) => (clip.id === id ? { ...clip, title } : clip))
      void invalidateRecording(queryClient, id)
    },
  })
}

const applyLabels = (clip: ClipRow, { ids, add_tags = [], remove_tags = [], favorite }: LabelRequest): ClipRow => {
  if (!ids.includes(clip.id)) return clip
  const removed = new Set([...remove_tags, ...add_tags].map((tag) => tag.toLowerCase()))
  const tags = [...clip.tags.filter((tag) => !removed.has(tag.toLowerCase())), ...add_tags]
  return { ...clip, tags: tags.toSorted((a, b) => a.localeCompare(b)), favorite: favorite ?? clip.favorite }
}

/** Returns a mutation that tags recordings or marks them as favorites. The lists show the change at once. */
export const useLabelClips = () => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (request: LabelRequest) => client.labelClips(request),
    onMutate: (request) => changeListedClips(queryClient, (clip) => applyLabels(clip, request)),
    onError: (error) => notifyError(`Couldn't save the change. ${errorMessage(error)}`),
    onSuccess: ({ failed: [first, ...others] }) => {
      if (first)
        notifyError(others.length === 0 ? first.detail : `${others.length + 1} recordings not changed. ${first.detail}`)
    },
    onSettled: (_response, _error, { ids }) => invalidateRecording(queryClient, ...ids),
  })
}
