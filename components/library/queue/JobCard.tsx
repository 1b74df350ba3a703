"use client"
import { useEffect, useRef } from "react"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { client, errorMessage } from "../../api/client.ts"
import { isPermanentFailure, summarizeFailure } from "../../api/job-failures.ts"
import { isActive, useJobAction, useJobEvents } from "../../api/jobs.ts"
import { getRecordingHref } from "../../search/use-library-search.ts"
import { Button, IconButton, LinkButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { capitalize, formatPercent, formatTimeAgo, formatTimeLeft, formatTimeOfDay } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { Progress } from "../../ui/Progress.tsx"
import { prefersReducedMotion } from "../../ui/use-media.ts"
import { RemoveJobButton } from "./RemoveJobButton.tsx"
import { StageProgress } from "./StageProgress.tsx"
import { describeActivity, getOverallProgress, getStageViews } from "./stages.ts"

type JobCardProps = {
  job: JobRecord
  isOpen: boolean
  /** True if the card may open an event stream. Browsers allow only a few connections per host. */
  isStreamed: boolean
  onToggle: () => void
  /** Hides an ended job from the queue. */
  onDismiss: () => void
}

const describeJob = (job: JobRecord): string => {
  const views = getStageViews(job)
  if (job.status === "done") return `Ready · ${formatTimeAgo(job.finished_at ?? job.created_at)}`
  if (job.status === "cancelled") return "Cancelled"
  if (job.status === "error") return summarizeFailure(job)
  if (!views.some((v) => v.state === "running"))
    return job.progress?.waiting
      ? `Waiting until ${formatTimeOfDay(job.progress.waiting.until)}`
      : describeActivity(views)
  const left = job.progress?.eta_s === undefined ? "" : ` · ${formatTimeLeft(job.progress.eta_s)} left`
  return `${describeActivity(views)} · ${formatPercent(getOverallProgress(views))}${left}`
}

const DoneActions = ({ job }: { job: JobRecord }) => {
  const clip = job.result_session_id ?? job.session_id
  return (
    <div className="flex flex-wrap gap-2">
      <LinkButton variant="primary" icon="wave" href={getRecordingHref(clip)}>
        Open recording
      </LinkButton>
      <LinkButton icon="map" href={`/viz?clip=${encodeURIComponent(clip)}`}>
        Show on map
      </LinkButton>
    </div>
  )
}

/** The error of a stopped job, its finished stages, and the actions Retry and Remove where they apply. */
const StoppedJob = ({ job }: { job: JobRecord }) => {
  const retry = useJobAction((id: string) => client.retry(id))
  const hasProgress = getStageViews(job).some((v) => v.state === "done")
  return (
    <div className="grid gap-4">
      {job.error && (
        <Notice>
          <bdi>{capitalize(job.error.detail)}</bdi>
        </Notice>
      )}
      {retry.isError && <Notice>{errorMessage(retry.error)}</Notice>}
      {hasProgress && <StageProgress job={job} hidePending />}
      <div className="flex flex-wrap gap-2">
        {!isPermanentFailure(job) && (
          <Button icon="retry" disabled={retry.isPending} onClick={() => retry.mutate(job.job_id)}>
            {hasProgress ? "Resume" : "Try again"}
          </Button>
        )}
        {!hasProgress && <RemoveJobButton job={job} />}
      </div>
    </div>
  )
}

const Body = ({ job }: { job: JobRecord }) => {
  if (job.status === "done") return <DoneActions job={job} />
  return isActive(job) ? <StageProgress job={job} /> : <StoppedJob job={job} />
}

const STATUS_COLORS = {
  queued: "bg-line-strong",
  running: "bg-accent",
  done: "bg-good",
  error: "bg-bad",
  cancelled: "bg-line-strong",
}

/** A job in the queue. Expands to show its stages, its error, or links to the finished recording. */
export const JobCard = ({ job, isOpen, isStreamed, onToggle, onDismiss }: JobCardProps) => {
  useJobEvents(isStreamed ? job.job_id : undefined)
  const cancel = useJobAction((id: string) => client.cancel(id))
  const active = isActive(job)
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: "nearest", behavior: prefersReducedMotion() ? "auto" : "smooth" })
  }, [isOpen])
  return (
    <li ref={line} data-job={job.job_id} data-status={job.status} className="animate-rise">
      <article
        aria-label={job.title}
        className={cx(
          "rounded-lg border transition-colors",
          isOpen ? "border-line-strong bg-surface" : "border-line hover:border-line-strong",
        )}
      >
        <div className="flex items-center gap-2 pr-3">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onToggle}
            className="flex min-w-0 flex-1 items-center gap-4 rounded-lg px-4 py-3.5 text-left sm:px-5"
          >
            <span
              aria-hidden="true"
              className={cx(
                "size-2 shrink-0 rounded-full",
                STATUS_COLORS[job.status],
                job.status === "running" && "animate-pulse",
              )}
            />
            <span className="grid min-w-0 flex-1">
              <span className="truncate font-[580]">
                <bdi>{job.title}</bdi>
              </span>
              <span
                className={cx(
                  "numeric text-sm",
                  job.status === "error" ? "line-clamp-2 text-bad [overflow-wrap:anywhere]" : "truncate text-muted",
                )}
              >
                {describeJob(job)}
              </span>
            </span>
          </button>
          {active && (
            <Button
              variant="quiet"
              icon="close"
              aria-label={`Cancel ${job.title}`}
              disabled={cancel.isPending}
              onClick={() => cancel.mutate(job.job_id)}
              className="-mr-1 max-sm:size-9 max-sm:px-0"
            >
              <span className="max-sm:hidden">Cancel</span>
            </Button>
          )}
          {!active && <IconButton name="close" label={`Dismiss ${job.title}`} onClick={onDismiss} className="size-8" />}
          <IconButton
            name="down"
            label={isOpen ? "Collapse" : "Expand"}
            tabIndex={-1}
            aria-hidden="true"
            onClick={onToggle}
            className={cx("transition-transform duration-200", isOpen && "rotate-180")}
          />
        </div>
        {active && !isOpen && (
          <Progress
            value={getOverallProgress(getStageViews(job))}
            label={`Progress of ${job.title}`}
            className="mx-5 mb-3.5"
          />
        )}
        {isOpen && (
          <div className="border-t border-line px-4 py-5 sm:px-5">
            <Body job={job} />
          </div>
        )}
      </article>
    </li>
  )
}
