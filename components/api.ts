"use client"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { createClient, EarmarkError } from "#lib/client/index.ts"
import type { JobList, JobRecord } from "#lib/contracts/jobs.ts"

/** One client for the pages; it opens nothing until it is asked. */
export const client = createClient()

export const isActive = (job: JobRecord): boolean => job.status === "queued" || job.status === "running"

/** The sentence to show for anything thrown. */
export const sentence = (error: unknown): string =>
  error instanceof EarmarkError ? error.detail : error instanceof Error ? error.message : String(error)

const JOBS = ["jobs"] as const
const POLL_MS = 3000

/** The newest jobs; polled while one of them is at work, so that a list is right even where streams are cut. */
export const useJobs = () =>
  useQuery({
    queryKey: JOBS,
    queryFn: ({ signal }) => client.jobs({ limit: 50 }, { signal }),
    refetchInterval: ({ state }) => (state.error || state.data?.jobs.some(isActive) ? POLL_MS : false),
  })

/** Follows one job over its event stream and writes each state into the list. */
export const useFollow = (jobId: string | undefined) => {
  const queries = useQueryClient()
  useEffect(() => {
    if (!jobId) return
    const stop = new AbortController()
    const follow = async () => {
      for await (const record of client.events(jobId, { signal: stop.signal }))
        queries.setQueryData<JobList>(
          JOBS,
          (list) => list && { ...list, jobs: list.jobs.map((job) => (job.job_id === jobId ? record : job)) },
        )
      await queries.invalidateQueries({ queryKey: ["map"] })
    }
    // A stream that fails for good leaves the polling of the list, which shows the same error in its place.
    follow().catch(() => queries.invalidateQueries({ queryKey: JOBS }))
    return () => stop.abort()
  }, [jobId, queries])
}

export const useResult = (jobId: string, enabled: boolean) =>
  useQuery({
    queryKey: ["result", jobId],
    queryFn: ({ signal }) => client.result(jobId, { signal }),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const useReadiness = () =>
  useQuery({ queryKey: ["readiness"], queryFn: ({ signal }) => client.readiness({ signal }), refetchInterval: 30_000 })

/** Cancel, retry and submit: each brings the list up to date before it counts as done. */
export const useJobAction = <T>(act: (input: T) => Promise<unknown>) => {
  const queries = useQueryClient()
  return useMutation({ mutationFn: act, onSettled: () => queries.invalidateQueries({ queryKey: JOBS }) })
}

export const useVizData = () => {
  const queries = useQueryClient()
  return useQuery({
    queryKey: ["map"],
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<Awaited<ReturnType<typeof client.vizData>>>(["map"])
      return (await client.vizData({ signal, ...(known && { etag: known.etag }) })) ?? known ?? null
    },
    refetchOnWindowFocus: true,
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
