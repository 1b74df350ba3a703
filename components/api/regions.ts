"use client"
import { useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import { client } from "./client.ts"
import { queryKeys } from "./query-keys.ts"

/** Returns a function that returns the region of a topic of a recording by its number, such as `1.2`, or null if it has none. */
export const useTopicRegions = (clipId: string): ((number: string) => number | null) => {
  const { data } = useQuery({
    queryKey: queryKeys.clipRegions(clipId),
    queryFn: ({ signal }) => client.clipRegions(clipId, { signal }),
    staleTime: 30_000,
  })
  return useCallback((number) => data?.topics[number] ?? null, [data])
}
