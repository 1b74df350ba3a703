"use client"
import { useQuery } from "@tanstack/react-query"
import { client } from "./client.ts"
import { queryKeys } from "./query-keys.ts"

/** The region of each topic of a recording by its number, such as `1.2`. Empty for a recording that is not on the map. */
export type TopicRegions = Readonly<Record<string, number>>

/** Loads the regions of the topics of a recording. Null until they are loaded. */
export const useTopicRegions = (clipId: string): TopicRegions | null => {
  const { data } = useQuery({
    queryKey: queryKeys.clipRegions(clipId),
    queryFn: ({ signal }) => client.clipRegions(clipId, { signal }),
    staleTime: 30_000,
  })
  return data?.topics ?? null
}
