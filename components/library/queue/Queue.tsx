"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState } from "react"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { errorMessage, isUnreachable } from "../../api/client.ts"
import { useHiddenRecordings } from "../../api/delete-recording.ts"
import { isActive, useJobs } from "../../api/jobs.ts"
import { invalidateRecording } from "../../api/query-keys.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { formatCount } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { InterruptedUploadCard } from "../upload/InterruptedUploadCard.tsx"
import { UploadCard } from "../upload/UploadCard.tsx"
import { useInterruptedUploads } from "../upload/use-interrupted-uploads.ts"
import type { useUploads } from "../upload/use-uploads.ts"
import { useStableList } from "../use-stable-list.ts"
import { JobCard } from "./JobCard.tsx"

/** Concurrent event streams. A browser opens six connections per host, and the page needs some of them. */
const MAX_STREAMS = 2
/** Jobs shown before “Show all”. */
const MAX_SHOWN = 8
/** From this number on, stopped jobs are collapsed so that active jobs and the library stay in view. */
const MIN_COLLAPSED = 3

const isFailed = ({ status }: JobRecord): boolean => status === "error"
const isStopped = ({ status }: JobRecord): boolean => status === "error" || status === "cancelled"

/**
 * Returns the IDs of jobs that were active at some time since the page was opened, so that they stay visible when they end.
 * Reloads the library when a job, submitted by any client, has finished since the previous load.
 */
const useSeenJobs = (list: readonly JobRecord[] | undefined): ReadonlySet<string> => {
  const queries = useQueryClient()
  const seenIds = useRef(new Set<string>())
  const doneIds = useRef<Set<string> | null>(null)
  for (const job of list ?? []) if (isActive(job)) seenIds.current.add(job.job_id)
  useEffect(() => {
    if (!list) return
    const done = list.filter((job) => job.status === "done")
    const newlyDone = doneIds.current ? done.filter((job) => !doneIds.current?.has(job.job_id)) : []
    doneIds.current = new Set([...(doneIds.current ?? []), ...done.map((job) => job.job_id)])
    if (newlyDone.length === 0) return
    void invalidateRecording(queries, ...newlyDone.map((job) => job.session_id))
  }, [list, queries])
  return seenIds.current
}

const jobId = (job: JobRecord): string => job.job_id

const LIST = "grid grid-cols-1 gap-2"
const HEADING = "text-xl font-[620] outline-none"

type QueueProps = {
  uploads: ReturnType<typeof useUploads>
  openJobId: string | null
  onOpen: (job: string | null) => void
  offline: boolean
}

/** The queue: uploads and active jobs, then failed and cancelled jobs. */
export const Queue = ({ uploads: { uploads, remove, retry }, openJobId, onOpen, offline }: QueueProps) => {
  const jobs = useJobs()
  const { interrupted, discard } = useInterruptedUploads(uploads)
  const all = useMemo(() => jobs.data?.pages.flatMap((page) => page.jobs), [jobs.data])
  const seen = useSeenJobs(all)
  const list = useStableList(all, jobId, openJobId)
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set())
  const hidden = useHiddenRecordings()
  const [showAll, setShowAll] = useState(false)
  const [expanded, setExpanded] = useState(false)
  // A stopped job is hidden once a newer job of the same recording exists.
  const newer = new Set<string>()
  const visible = list.filter((job) => {
    const superseded = newer.has(job.session_id)
    newer.add(job.session_id)
    if ((job.job_id === openJobId && !hidden.has(job.session_id)) || isActive(job)) return true
    if (dismissed.has(job.job_id) || hidden.has(job.session_id)) return false
    return seen.has(job.job_id) || (isStopped(job) && !superseded)
  })
  const streamed = new Set(
    visible
      .filter(isActive)
      .reverse()
      .slice(0, MAX_STREAMS)
      .map((job) => job.job_id),
  )
  const stopped = visible.filter(isStopped)
  // An expanded job is not moved into the collapsed list.
  const collapsed = stopped.length >= MIN_COLLAPSED ? stopped.filter((job) => expanded || job.job_id !== openJobId) : []
  const active = visible.filter((job) => !isStopped(job))
  const shown = showAll ? active : active.slice(0, MAX_SHOWN)
  const failed = jobs.isError && !offline && !isUnreachable(jobs.error)
  if (visible.length === 0 && uploads.length === 0 && interrupted.length === 0 && !failed) return null
  const activeCount = visible.filter(isActive).length
  const card = (job: JobRecord) => (
    <JobCard
      key={job.job_id}
      job={job}
      isOpen={openJobId === job.job_id}
      isStreamed={streamed.has(job.job_id)}
      onToggle={() => onOpen(openJobId === job.job_id ? null : job.job_id)}
      onDismiss={() => {
        if (openJobId === job.job_id) onOpen(null)
        setDismissed((before) => new Set(before).add(job.job_id))
      }}
    />
  )
  return (
    <>
      {(active.length > 0 || uploads.length > 0 || interrupted.length > 0 || failed) && (
        <section aria-labelledby="queue" className="grid grid-cols-1 gap-3">
          <div className="flex items-baseline justify-between gap-4">
            <h2 id="queue" tabIndex={-1} className={HEADING}>
              Queue
            </h2>
            <p role="status" className="numeric text-sm text-muted">
              {activeCount > 0 ? `${formatCount(activeCount, "recording")} in progress` : ""}
            </p>
          </div>
          {failed && (
            <Notice title="Couldn't load the queue" onRetry={() => jobs.refetch()}>
              {errorMessage(jobs.error)}
            </Notice>
          )}
          <ul className={LIST}>
            {uploads.map((upload) => (
              <UploadCard
                key={upload.id}
                upload={upload}
                onRemove={() => remove(upload)}
                onRetry={() => retry(upload)}
              />
            ))}
            {interrupted.map((upload) => (
              <InterruptedUploadCard key={upload.key} upload={upload} onRemove={() => discard(upload)} />
            ))}
            {shown.map(card)}
          </ul>
          {active.length > shown.length && (
            <Button icon="down" onClick={() => setShowAll(true)} className="justify-self-center">
              Show all {active.length}
            </Button>
          )}
        </section>
      )}
      {stopped.length > 0 && (
        <section aria-labelledby="stopped" className="grid grid-cols-1 gap-3">
          <h2 id="stopped" className={HEADING}>
            {stopped.every(isFailed) ? "Failed" : "Failed or cancelled"}
          </h2>
          {stopped.length > collapsed.length && (
            <ul className={LIST}>{stopped.filter((job) => !collapsed.includes(job)).map(card)}</ul>
          )}
          {collapsed.length > 0 && (
            <>
              <button
                type="button"
                aria-expanded={expanded}
                onClick={() => setExpanded(!expanded)}
                className="flex items-center gap-4 rounded-lg border border-line px-4 py-3 text-left text-sm transition-colors hover:border-line-strong sm:px-5"
              >
                <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-bad" />
                <span className="flex-1 font-[560]">
                  {collapsed.length} {collapsed.every(isFailed) ? "failed" : "failed or cancelled"}
                </span>
                <Icon
                  name="down"
                  size={18}
                  className={cx("text-muted transition-transform", expanded && "rotate-180")}
                />
              </button>
              {expanded && <ul className={LIST}>{collapsed.map(card)}</ul>}
            </>
          )}
        </section>
      )}
    </>
  )
}
