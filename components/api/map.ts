"use client"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import type { VizData } from "#lib/domain/map.ts"
import { fromEdgeColumns, fromPointColumns } from "#lib/domain/map-columns.ts"
import { client } from "./client.ts"
import { MAP_FIELDS } from "./map-fields.ts"
import { queryKeys } from "./query-keys.ts"

const POLL_MS = 5000
const MAX_RESULTS = 24

type TaggedMap = { readonly data: VizData; readonly etag: string }

/** Loads the map as columns. Returns null if it has not changed since `etag`. */
const loadMap = async (etag: string | undefined, signal: AbortSignal): Promise<TaggedMap | null> => {
  const response = await client.vizData({ signal, fields: MAP_FIELDS, ...(etag !== undefined && { etag }) })
  if (!response) return null
  const { point_columns, edge_columns, ...rest } = response.data
  const points = fromPointColumns(point_columns!, rest)
  return { data: { ...rest, points, edges: fromEdgeColumns(edge_columns!) }, etag: response.etag }
}

/** Loads the map and polls for new topics. An unchanged map is a 304 response and keeps the same data object. */
export const useVizData = () => {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: queryKeys.map,
    queryFn: async ({ signal }) => {
      const cached = queryClient.getQueryData<TaggedMap>(queryKeys.map)
      return (await loadMap(cached?.etag, signal)) ?? cached ?? null
    },
    refetchOnWindowFocus: true,
    refetchInterval: POLL_MS,
  })
}

/** Searches the topics of the loaded map. The previous results stay until the new ones are loaded. */
export const useVizSearch = (query: string) => {
  const map = useQueryClient().getQueryData<TaggedMap>(queryKeys.map)
  return useQuery({
    queryKey: queryKeys.mapSearch(query, map?.etag),
    queryFn: ({ signal }) => client.vizSearch({ q: query, topK: MAX_RESULTS, signal }),
    enabled: query !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}
