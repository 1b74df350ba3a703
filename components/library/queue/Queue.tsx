"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useRef, useState } from "react"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { errorMessage, isActive, isUnreachable, useJobs } from "../../api/client.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { formatCount } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { useHiddenRecordings } from "../hidden.ts"
import { UploadCard } from "../upload/UploadCard.tsx"
import type { useUploads } from "../upload/use-uploads.ts"
import { useStableList } from "../use-stable-list.ts"
import { JobCard } from "./JobCard.tsx"

/** Event streams held at a time: a browser opens six connections to one host, and the page needs some itself. */
const MAX_STREAMS = 2
/** Lines shown before one asks for all. */
const MAX_SHOWN = 8
/** So many that stopped, and they stand behind one line: what is at work and the library come first. */
const MIN_COLLAPSED = 3

const isStopped = ({ status }: JobRecord): boolean => status === "error" || status === "cancelled"

/**
 * The runs that this visit has seen at work: they stay in sight when they end, so that their end is seen. What a run has
 * made since the page was opened is read, whoever sent it, and also one that was done before anybody looked.
 */
const useSeenJobs = (list: readonly JobRecord[] | undefined): ReadonlySet<string> => {
  const queries = useQueryClient()
  const seen = useRef(new Set<string>())
  const ended = useRef<Set<string> | null>(null)
  for (const job of list ?? []) if (isActive(job)) seen.current.add(job.job_id)
  useEffect(() => {
    if (!list) return
    const done = list.filter((job) => job.status === "done")
    const fresh = ended.current ? done.filter((job) => !ended.current?.has(job.job_id)) : []
    ended.current = new Set([...(ended.current ?? []), ...done.map((job) => job.job_id)])
    if (fresh.length === 0) return
    for (const key of [["clips"], ["map"], ["library-search"], ...fresh.map((job) => ["clip", job.session_id])])
      void queries.invalidateQueries({ queryKey: key })
  }, [list, queries])
  return seen.current
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

/** What is on its way: files being sent and recordings at work; below them, runs that stopped. */
export const Queue = ({
  uploads: { uploads, remove, again },
  openJobId: opened,
  onOpen,
  offline: silent,
}: QueueProps) => {
  const jobs = useJobs()
  const all = useMemo(() => jobs.data?.pages.flatMap((page) => page.jobs), [jobs.data])
  const seen = useSeenJobs(all)
  const list = useStableList(all, jobId, opened)
  const [away, setAway] = useState<ReadonlySet<string>>(new Set())
  const hidden = useHiddenRecordings()
  const [long, setLong] = useState(false)
  const [unfolded, setUnfolded] = useState(false)
  // A run that stopped and was followed by another of the same recording is of the past.
  const newer = new Set<string>()
  const due = list.filter((job) => {
    const superseded = newer.has(job.session_id)
    newer.add(job.session_id)
    if ((job.job_id === opened && !hidden.has(job.session_id)) || isActive(job)) return true
    if (away.has(job.job_id) || hidden.has(job.session_id)) return false
    return seen.has(job.job_id) || (isStopped(job) && !superseded)
  })
  const streamed = new Set(
    due
      .filter(isActive)
      .reverse()
      .slice(0, MAX_STREAMS)
      .map((job) => job.job_id),
  )
  const stopped = due.filter(isStopped)
  // The one that is read stays where it is read.
  const folded = stopped.length >= MIN_COLLAPSED ? stopped.filter((job) => unfolded || job.job_id !== opened) : []
  const atWork = due.filter((job) => !isStopped(job))
  const shown = long ? atWork : atWork.slice(0, MAX_SHOWN)
  const failed = jobs.isError && !silent && !isUnreachable(jobs.error)
  if (due.length === 0 && uploads.length === 0 && !failed) return null
  const active = due.filter(isActive).length
  const card = (job: JobRecord) => (
    <JobCard
      key={job.job_id}
      job={job}
      isOpen={opened === job.job_id}
      isStreamed={streamed.has(job.job_id)}
      onToggle={() => onOpen(opened === job.job_id ? null : job.job_id)}
      onDismiss={() => {
        if (opened === job.job_id) onOpen(null)
        setAway((before) => new Set(before).add(job.job_id))
      }}
    />
  )
  return (
    <>
      {(atWork.length > 0 || uploads.length > 0 || failed) && (
        <section aria-labelledby="queue" className="grid grid-cols-1 gap-3">
          <div className="flex items-baseline justify-between gap-4">
            <h2 id="queue" tabIndex={-1} className={HEADING}>
              At work
            </h2>
            <p role="status" className="numeric text-sm text-muted">
              {active > 0 ? `${formatCount(active, "recording")} in the queue` : ""}
            </p>
          </div>
          {failed && (
            <Notice title="The queue did not come" onRetry={() => jobs.refetch()}>
              {errorMessage(jobs.error)}
            </Notice>
          )}
          <ul className={LIST}>
            {uploads.map((upload) => (
              <UploadCard
                key={upload.id}
                upload={upload}
                onRemove={() => remove(upload)}
                onRetry={() => again(upload)}
              />
            ))}
            {shown.map(card)}
          </ul>
          {atWork.length > shown.length && (
            <Button icon="down" onClick={() => setLong(true)} className="justify-self-center">
              Show all {atWork.length}
            </Button>
          )}
        </section>
      )}
      {stopped.length > 0 && (
        <section aria-labelledby="stopped" className="grid grid-cols-1 gap-3">
          <h2 id="stopped" className={HEADING}>
            Stopped
          </h2>
          {stopped.length > folded.length && (
            <ul className={LIST}>{stopped.filter((job) => !folded.includes(job)).map(card)}</ul>
          )}
          {folded.length > 0 && (
            <>
              <button
                type="button"
                aria-expanded={unfolded}
                onClick={() => setUnfolded(!unfolded)}
                className="flex items-center gap-4 rounded-lg border border-line px-4 py-3 text-left text-sm transition-colors hover:border-line-strong sm:px-5"
              >
                <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-bad" />
                <span className="flex-1 font-[560]">
                  {folded.length} {folded.every((job) => job.status === "error") ? "failed" : "stopped"}
                </span>
                <Icon
                  name="down"
                  size={18}
                  className={cx("text-muted transition-transform", unfolded && "rotate-180")}
                />
              </button>
              {unfolded && <ul className={LIST}>{folded.map(card)}</ul>}
            </>
          )}
        </section>
      )}
    </>
  )
}
