"use client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { EarmarkError } from "#lib/api/client/errors.ts"
import { client } from "./client.ts"
import { queryKeys } from "./query-keys.ts"

const OFFLINE_POLL_MS = 3000
const POLL_MS = 10_000

/** Loads the health checks and polls them, so that an idle page notices when the service stops or returns. */
export const useReadiness = () =>
  useQuery({
    queryKey: queryKeys.readiness,
    queryFn: ({ signal }) => client.readiness({ signal }),
    refetchInterval: ({ state }) => (state.error ? OFFLINE_POLL_MS : POLL_MS),
    refetchOnWindowFocus: true,
  })

/** Reports whether the service is unreachable, and reloads all queries when it is reachable again. */
export const useOffline = (): { offline: boolean; retry: () => void } => {
  const queryClient = useQueryClient()
  const { error } = useReadiness()
  // Any error counts, such as a proxy's error page, except 401: that is a response of the service itself.
  const offline = error !== null && !(error instanceof EarmarkError && error.status === 401)
  const wasOffline = useRef(false)
  useEffect(() => {
    if (wasOffline.current && !offline) queryClient.invalidateQueries()
    wasOffline.current = offline
  }, [offline, queryClient])
  return { offline, retry: () => queryClient.invalidateQueries() }
}
