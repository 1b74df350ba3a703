"use client"
import { useQueryClient } from "@tanstack/react-query"
import Link from "next/link"
import { useEffect, useRef } from "react"
import { isActive, useClipJobs } from "../api/jobs.ts"
import { invalidateRecording } from "../api/query-keys.ts"
import { describeActivity, getOverallProgress, getStageViews } from "../library/queue/stages.ts"
import { capitalize, formatPercent } from "../ui/format.ts"
import { Progress } from "../ui/Progress.tsx"
import { notify, notifyError } from "../ui/toast-queue.ts"
import { useRecording } from "./recording-context.ts"

/** Shows the progress of an active job of this recording. Reloads the recording when the job ends. */
export const RerunProgress = () => {
  const { clip } = useRecording()
  const isFirstRun = clip.provider === null
  const queryClient = useQueryClient()
  const { data } = useClipJobs(clip.id)
  const active = data?.jobs.find(isActive)
  const activeJobId = useRef<string | null>(null)
  useEffect(() => {
    if (active) {
      activeJobId.current = active.job_id
      return
    }
    const ended = data?.jobs.find((job) => job.job_id === activeJobId.current)
    if (!ended) return
    activeJobId.current = null
    void invalidateRecording(queryClient, clip.id)
    if (ended.status === "done")
      notify(isFirstRun ? "The topics are ready." : "Re-run finished. The page shows the new topics.")
    else if (ended.error) notifyError(capitalize(ended.error.detail))
  }, [active, data, clip.id, isFirstRun, queryClient])
  if (!active) return null
  const views = getStageViews(active)
  return (
    <Link
      href={`/?job=${active.job_id}`}
      className="grid w-full max-w-80 gap-1 rounded-md border border-line bg-surface px-3 py-1.5 text-sm transition hover:border-line-strong"
    >
      <span role="status" className="flex justify-between gap-3">
        <span className="truncate">{describeActivity(views)}</span>
        <span className="numeric text-muted">{formatPercent(getOverallProgress(views))}</span>
      </span>
      <Progress value={getOverallProgress(views)} label={`${isFirstRun ? "Processing" : "Re-running"} ${clip.title}`} />
    </Link>
  )
}
