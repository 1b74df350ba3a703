"use client"
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import type { ClipList } from "#lib/domain/clips.ts"
import { client } from "./client.ts"

const CLIPS = ["clips"] as const
const PAGE = 200

/** All recordings, newest first. The pages after the first are fetched in turn: sorting wants all of them. */
export const useClips = () => {
  const clips = useInfiniteQuery({
    queryKey: CLIPS,
    queryFn: ({ signal, pageParam: cursor }) => client.clips({ limit: PAGE, ...(cursor && { cursor }) }, { signal }),
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

/** A new title. It comes from a form, which stays as it is until the title is kept. */
export const useRename = () => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, title }: { id: string; title: string }) => client.editClip(id, { title }),
    onSuccess: (_clip, { id, title }) => {
      queries.setQueryData<InfiniteData<ClipList>>(
        CLIPS,
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              clips: page.clips.map((clip) => (clip.id === id ? { ...clip, title } : clip)),
            })),
          },
      )
      for (const key of [["clip", id], ["map"], ["library-search"]]) void queries.invalidateQueries({ queryKey: key })
    },
  })
}
