"use client"
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import type { JobList, JobRecord } from "#lib/domain/jobs/jobs.ts"
import { useExclusiveMutation } from "../ui/use-exclusive-mutation.ts"
import { client } from "./client.ts"
import { invalidateJobs, queryKeys } from "./query-keys.ts"

const PAGE_SIZE = 50
const ACTIVE_POLL_MS = 3000
const IDLE_POLL_MS = 10_000
const CLIP_JOBS_POLL_MS = 1500

export const isActive = (job: JobRecord): boolean => job.status === "queued" || job.status === "running"

/**
 * Loads jobs page by page, newest first. Polls even while event streams are open, because a proxy may cut them, and while
 * idle, because other clients also submit recordings. All pages reload together: each page starts where the previous one
 * ends.
 */
export const useJobs = () =>
  useInfiniteQuery({
    queryKey: queryKeys.jobs,
    queryFn: ({ signal, pageParam }) =>
      client.jobs({ limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: ({ state }) =>
      state.error || state.data?.pages.some((page) => page.jobs.some(isActive)) ? ACTIVE_POLL_MS : IDLE_POLL_MS,
  })

/** Loads the jobs of one recording, newest first, and polls while one of them is active. */
export const useClipJobs = (clipId: string, enabled = true) =>
  useQuery({
    enabled,
    queryKey: queryKeys.clipJobs(clipId),
    queryFn: ({ signal }) => client.jobs({ clip_id: clipId, limit: 20 }, { signal }),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isActive) ? CLIP_JOBS_POLL_MS : false),
  })

/** Streams the events of one job into the job list and the jobs of its recording. Does nothing without a job ID. */
export const useJobEvents = (jobId: string | undefined) => {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!jobId) return
    const controller = new AbortController()
    const replaceIn = (jobs: JobRecord[], record: JobRecord) => jobs.map((job) => (job.job_id === jobId ? record : job))
    const updateList = (record: JobRecord) => {
      for (const clipId of [record.session_id, record.result_session_id])
        if (clipId !== undefined)
          queryClient.setQueryData<JobList>(
            queryKeys.clipJobs(clipId),
            (list) => list && { ...list, jobs: replaceIn(list.jobs, record) },
          )
      queryClient.setQueryData<InfiniteData<JobList>>(
        queryKeys.jobs,
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              jobs: replaceIn(page.jobs, record),
            })),
          },
      )
    }
    const followEvents = async () => {
      for await (const record of client.events(jobId, { signal: controller.signal })) updateList(record)
      await queryClient.invalidateQueries({ queryKey: queryKeys.map })
    }
    // If the stream fails, polling continues and shows the error in the list.
    followEvents().catch(() => invalidateJobs(queryClient))
    return () => controller.abort()
  }, [jobId, queryClient])
}

/** Returns a mutation that submits, cancels or retries jobs. It stays pending until the job list has been reloaded. */
export const useJobAction = <T, R>(act: (input: T) => Promise<R>) => {
  const queryClient = useQueryClient()
  return useExclusiveMutation({ mutationFn: act, onSettled: () => invalidateJobs(queryClient) })
}
