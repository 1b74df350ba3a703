"use client"
import { type InfiniteData, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useEffect } from "react"
import type { JobList, JobRecord } from "#lib/domain/jobs/jobs.ts"
import { client } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { formatCount } from "../../ui/format.ts"
import { notifyWithAction } from "../../ui/toast-queue.ts"
import { loadOnboarding, updateOnboarding } from "./onboarding.ts"

const isActive = ({ status }: JobRecord): boolean => status === "queued" || status === "running"

/** Announces the first recording that becomes ready in this browser, with a link to it. */
export const ReadyToast = () => {
  const queryClient = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    if (loadOnboarding().isReadyShown) return
    const active = new Set<string>()
    const announce = async (id: string) => {
      updateOnboarding({ isReadyShown: true })
      const { tree } = await client.clip(id)
      const topics = tree.topics[0]?.children.length ?? 0
      notifyWithAction(`Ready: ${formatCount(topics, "topic")}`, "Open", () => router.push(`/library/${id}`))
    }
    return queryClient.getQueryCache().subscribe(({ query }) => {
      if (query.queryKey[0] !== queryKeys.jobs[0] || query.queryKey.length > 1) return
      const jobs = (query.state.data as InfiniteData<JobList> | undefined)?.pages.flatMap((page) => page.jobs) ?? []
      for (const job of jobs) {
        if (isActive(job)) active.add(job.job_id)
        else if (active.delete(job.job_id) && job.status === "done" && !loadOnboarding().isReadyShown)
          void announce(job.session_id).catch(() => undefined)
      }
    })
  }, [queryClient, router])
  return null
}
