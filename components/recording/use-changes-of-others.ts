"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import type { Clip } from "#lib/domain/clips.ts"
import { invalidateLibrary, queryKeys } from "../api/query-keys.ts"
import { loadChangedClip } from "./load-clip.ts"

const INTERVAL_MS = 15_000

/**
 * Shows what other windows and people change in a recording: asks for another version every 15 seconds and when the page is
 * looked at again. Nothing is read while there is none.
 */
export const useChangesOfOthers = (id: string): void => {
  const queryClient = useQueryClient()
  useEffect(() => {
    const requests = new AbortController()
    const look = async () => {
      const etag = queryClient.getQueryData<Clip>(queryKeys.clip(id))?.etag
      if (etag === undefined || document.visibilityState !== "visible" || queryClient.isMutating() > 0) return
      const clip = await loadChangedClip(id, etag, requests.signal)
      if (!clip) return
      // An own edit in the meantime is newer.
      if (queryClient.getQueryData<Clip>(queryKeys.clip(id))?.etag !== etag) return
      queryClient.setQueryData(queryKeys.clip(id), clip)
      void queryClient.invalidateQueries({ queryKey: queryKeys.topicHistory(id) })
      void invalidateLibrary(queryClient)
    }
    // Without an answer, the page says so by itself.
    const tryToLook = () => void look().catch(() => undefined)
    const timer = setInterval(tryToLook, INTERVAL_MS)
    window.addEventListener("focus", tryToLook)
    document.addEventListener("visibilitychange", tryToLook)
    return () => {
      clearInterval(timer)
      window.removeEventListener("focus", tryToLook)
      document.removeEventListener("visibilitychange", tryToLook)
      requests.abort()
    }
  }, [id, queryClient])
}
