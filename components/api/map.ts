"use client"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import { client } from "./client.ts"
import { queryKeys } from "./query-keys.ts"

const POLL_MS = 5000
const MAX_RESULTS = 24

/** Loads the map and polls for new topics. An unchanged map is a 304 response and keeps the same data object. */
export const useVizData = () => {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: queryKeys.map,
    queryFn: async ({ signal }) => {
      const cached = queryClient.getQueryData<Awaited<ReturnType<typeof client.vizData>>>(queryKeys.map)
      return (await client.vizData({ signal, ...(cached && { etag: cached.etag }) })) ?? cached ?? null
    },
    refetchOnWindowFocus: true,
    refetchInterval: POLL_MS,
  })
}

/** Searches the topics of the loaded map. The previous results stay until the new ones are loaded. */
export const useVizSearch = (query: string) => {
  const map = useQueryClient().getQueryData<Awaited<ReturnType<typeof client.vizData>>>(queryKeys.map)
  return useQuery({
    queryKey: queryKeys.mapSearch(query, map?.etag),
    queryFn: ({ signal }) => client.vizSearch({ q: query, topK: MAX_RESULTS, signal }),
    enabled: query !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}
