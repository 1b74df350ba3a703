"use client"
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import type { ClipList } from "#lib/domain/clips.ts"
import { client } from "./client.ts"
import { invalidateRecording, queryKeys } from "./query-keys.ts"

const PAGE_SIZE = 200

/** Loads all recordings, newest first. Fetches the remaining pages automatically, because sorting needs all of them. */
export const useClips = () => {
  const clips = useInfiniteQuery({
    queryKey: queryKeys.clips,
    queryFn: ({ signal, pageParam }) =>
      client.clips({ limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
    refetchOnWindowFocus: true,
  })
  const { hasNextPage, isFetching, fetchNextPage } = clips
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  return clips
}

/** Returns a mutation that renames a recording and updates the loaded list. */
export const useRename = () => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, title }: { id: string; title: string }) => client.editClip(id, { title }),
    onSuccess: (_clip, { id, title }) => {
      queryClient.setQueryData<InfiniteData<ClipList>>(
        queryKeys.clips,
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              clips: page.clips.map((clip) => (clip.id === id ? { ...clip, title } : clip)),
            })),
          },
      )
      void invalidateRecording(queryClient, id)
    },
  })
}
