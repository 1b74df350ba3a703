"use client"
import { useQueryClient } from "@tanstack/react-query"
import Link from "next/link"
import { useEffect, useRef } from "react"
import { isActive } from "../api/client.ts"
import { describeActivity, getOverallProgress, getStageViews } from "../library/queue/stages.ts"
import { capitalize, formatPercent } from "../ui/format.ts"
import { Progress } from "../ui/Progress.tsx"
import { notify, notifyError } from "../ui/toast-queue.ts"
import { useRecording } from "./recording-context.ts"
import { useClipJobs } from "./recording-data.ts"

/** That the recording is at work again, how far it is, and at its end what came of it. */
export const RerunProgress = () => {
  const { clip } = useRecording()
  const queries = useQueryClient()
  const { data } = useClipJobs(clip.id)
  const active = data?.jobs.find(isActive)
  const followed = useRef<string | null>(null)
  useEffect(() => {
    if (active) {
      followed.current = active.job_id
      return
    }
    const ended = data?.jobs.find((job) => job.job_id === followed.current)
    if (!ended) return
    followed.current = null
    for (const key of [["clip", clip.id], ["topic-runs", clip.id], ["clips"], ["map"], ["library-search"]])
      void queries.invalidateQueries({ queryKey: key })
    if (ended.status === "done") notify("It was run again: this is what came of it")
    else if (ended.error) notifyError(capitalize(ended.error.detail))
  }, [active, data, clip.id, queries])
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
      <Progress value={getOverallProgress(views)} label={`Running again: ${clip.title}`} />
    </Link>
  )
}
