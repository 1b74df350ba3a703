"use client"
import { useQuery } from "@tanstack/react-query"
import { useRef, useState } from "react"
import type { LiveWord } from "#lib/domain/jobs/live-words.ts"
import { client } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"

const POLL_MS = 1500

/** Collects the words that a running transcription recognizes. */
export const useLiveWords = (jobId: string, isTranscribing: boolean): readonly LiveWord[] => {
  const [words, setWords] = useState<readonly LiveWord[]>([])
  const after = useRef("")
  useQuery({
    queryKey: queryKeys.liveWords(jobId),
    queryFn: async ({ signal }) => {
      const page = await client.liveWords(jobId, { after: after.current }, { signal })
      after.current = page.next
      if (page.restarted) setWords(page.words)
      else if (page.words.length > 0) setWords((before) => [...before, ...page.words])
      return page.next
    },
    enabled: isTranscribing,
    refetchInterval: POLL_MS,
    gcTime: 0,
  })
  return words
}
