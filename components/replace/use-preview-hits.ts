"use client"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import type { ReplacementPreview } from "#lib/api/client/types.ts"
import { client } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"

export type What = {
  readonly find: string
  readonly replace_with: string
  readonly whole_words: boolean
  readonly match_case: boolean
  readonly clip_id?: string
}

/** More hits would take too long to look at; a longer text has fewer. */
export const MAX_SHOWN_HITS = 2000
const TYPING_PAUSE_MS = 250

export type FoundHits = {
  readonly clips: ReplacementPreview["clips"]
  readonly searched: number
  readonly total: number
  /** True if there are more hits than are shown. */
  readonly isCapped: boolean
}

const useSettled = <T>(value: T): T => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const findAll = async (
  what: What,
  signal: AbortSignal,
  onProgress: (searched: number, total: number) => void,
): Promise<FoundHits> => {
  const clips: ReplacementPreview["clips"] = []
  let [searched, total, hits] = [0, 0, 0]
  let cursor: string | undefined
  do {
    const page = await client.previewReplacement({ ...what, ...(cursor !== undefined && { cursor }) }, { signal })
    for (const clip of page.clips) {
      const shown = clip.hits.slice(0, MAX_SHOWN_HITS - hits)
      hits += shown.length
      if (shown.length > 0) clips.push({ ...clip, hits: shown })
    }
    searched += page.searched
    total = page.total ?? total
    onProgress(searched, total)
    cursor = page.next_cursor
  } while (cursor !== undefined && hits < MAX_SHOWN_HITS)
  const isCapped = cursor !== undefined || clips.some((clip) => clip.total > clip.hits.length)
  return { clips, searched, total, isCapped }
}

/** Finds all hits, page by page. `searched` says how many of the recordings are done meanwhile. */
export const usePreviewHits = (what: What) => {
  const settled = useSettled(JSON.stringify(what))
  const [progress, setProgress] = useState({ searched: 0, total: 0 })
  const wanted = JSON.parse(settled) as What
  const found = useQuery({
    queryKey: queryKeys.replacementPreview(settled),
    queryFn: ({ signal }) => {
      setProgress({ searched: 0, total: 0 })
      return findAll(wanted, signal, (searched, total) => setProgress({ searched, total }))
    },
    enabled: wanted.find.trim() !== "",
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  return { found, progress, isTyping: settled !== JSON.stringify(what) }
}
