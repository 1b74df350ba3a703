"use client"
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { EarmarkError } from "#lib/api/client/errors.ts"
import { createUncheckedClient } from "#lib/api/client/unchecked.ts"
import type { JobList, JobRecord } from "#lib/domain/jobs/jobs.ts"
import { useExclusiveMutation } from "../ui/use-exclusive-mutation.ts"

/** One client for the pages; it opens nothing until it is asked. */
export const client = createUncheckedClient({
  // What is deleted as the page is left is still sent.
  fetch: (input, init) => fetch(input, { ...init, keepalive: init?.method === "DELETE" }),
})

export const isActive = (job: JobRecord): boolean => job.status === "queued" || job.status === "running"

/** The sentence to show for anything thrown. */
export const errorMessage = (error: unknown): string =>
  error instanceof EarmarkError ? error.detail : error instanceof Error ? error.message : String(error)

/** Whether nobody answered, or only a proxy that says so: another try may mend it, and no sentence of the service tells why. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof EarmarkError && [0, 502, 504].includes(error.status)

const JOBS = ["jobs"] as const
const PAGE = 50
const POLL_MS = 3000
const IDLE_POLL_MS = 10_000

/**
 * Jobs, newest first, page by page. Polled while one of them is at work, so that a list is right even where streams are
 * cut, and slowly else: others send recordings too, to this host or another one. All pages in sight together, because
 * each begins where the one before ends.
 */
export const useJobs = () =>
  useInfiniteQuery({
    queryKey: JOBS,
    queryFn: ({ signal, pageParam: cursor }) => client.jobs({ limit: PAGE, ...(cursor && { cursor }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: ({ state }) =>
      state.error || state.data?.pages.some((page) => page.jobs.some(isActive)) ? POLL_MS : IDLE_POLL_MS,
  })

/** Follows one job over its event stream and writes each state into the list. */
export const useJobEvents = (jobId: string | undefined) => {
  const queries = useQueryClient()
  useEffect(() => {
    if (!jobId) return
    const stop = new AbortController()
    const follow = async () => {
      for await (const record of client.events(jobId, { signal: stop.signal }))
        queries.setQueryData<InfiniteData<JobList>>(
          JOBS,
          (list) =>
            list && {
              ...list,
              pages: list.pages.map((page) => ({
                ...page,
                jobs: page.jobs.map((job) => (job.job_id === jobId ? record : job)),
              })),
            },
        )
      await queries.invalidateQueries({ queryKey: ["map"] })
    }
    // A stream that fails for good leaves the polling of the list, which shows the same error in its place.
    follow().catch(() => queries.invalidateQueries({ queryKey: JOBS }))
    return () => stop.abort()
  }, [jobId, queries])
}

/** State of the parts, and the heartbeat by which an idle page learns that the service is gone, or back. */
export const useReadiness = () =>
  useQuery({
    queryKey: ["readiness"],
    queryFn: ({ signal }) => client.readiness({ signal }),
    refetchInterval: ({ state }) => (state.error ? POLL_MS : IDLE_POLL_MS),
    refetchOnWindowFocus: true,
  })

/** Whether the service is out of reach just now. When it is back, all that the page shows is read anew. */
export const useOffline = (): { offline: boolean; retry: () => void } => {
  const queries = useQueryClient()
  const { error } = useReadiness()
  // Whatever else comes than a state (a service that starts, a proxy's page) is as good as nothing; a refusal is an answer.
  const silent = error !== null && !(error instanceof EarmarkError && error.status === 401)
  const was = useRef(false)
  useEffect(() => {
    if (was.current && !silent) queries.invalidateQueries()
    was.current = silent
  }, [silent, queries])
  return { offline: silent, retry: () => queries.invalidateQueries() }
}

/** Cancel, retry and submit: each brings the list up to date before it counts as done. */
export const useJobAction = <T, R>(act: (input: T) => Promise<R>) => {
  const queries = useQueryClient()
  return useExclusiveMutation({ mutationFn: act, onSettled: () => queries.invalidateQueries({ queryKey: JOBS }) })
}

const MAP_POLL_MS = 5000

export const useVizData = () => {
  const queries = useQueryClient()
  return useQuery({
    queryKey: ["map"],
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<Awaited<ReturnType<typeof client.vizData>>>(["map"])
      return (await client.vizData({ signal, ...(known && { etag: known.etag }) })) ?? known ?? null
    },
    refetchOnWindowFocus: true,
    // New recordings come to a map that is looked at; one that did not change is a 304 and draws nothing.
    refetchInterval: MAP_POLL_MS,
  })
}

/** Topics near a question; the hits before stay until the new ones come. */
export const useVizSearch = (q: string) =>
  useQuery({
    queryKey: ["search", q],
    queryFn: ({ signal }) => client.vizSearch({ q, topK: 24, signal }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
