"use client"
import { useQueryClient } from "@tanstack/react-query"
import Link from "next/link"
import { useRouter } from "next/navigation"
import { useEffect } from "react"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { client, errorMessage } from "../../api/client.ts"
import { useDeleteRecording } from "../../api/delete-recording.ts"
import { isPermanentFailure } from "../../api/job-failures.ts"
import { isActive, useJobAction, useJobEvents } from "../../api/jobs.ts"
import { invalidateJobs, invalidateRecording } from "../../api/query-keys.ts"
import { StageProgress } from "../../library/queue/StageProgress.tsx"
import { describeActivity, getOverallProgress, getStageViews } from "../../library/queue/stages.ts"
import { getRecordingHref } from "../../search/use-library-search.ts"
import { Button } from "../../ui/Button.tsx"
import { capitalize, formatPercent, formatTimeAgo, formatTimeLeft } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Progress } from "../../ui/Progress.tsx"
import { LiveTranscript } from "./LiveTranscript.tsx"
import { useLiveWords } from "./use-live-words.ts"

/** Opens the clip as soon as it exists: when the recording is transcribed, or known to be another one. */
const useOpenWhenReady = (id: string, { stages, result_session_id, status }: JobRecord): void => {
  const queryClient = useQueryClient()
  const router = useRouter()
  const isReady = stages.whisper === "done" || status === "done"
  useEffect(() => {
    if (!isReady) return
    if (result_session_id !== undefined && result_session_id !== id) router.replace(getRecordingHref(result_session_id))
    else void invalidateRecording(queryClient, id)
  }, [isReady, result_session_id, id, queryClient, router])
}

const StoppedActions = ({ id, job }: { id: string; job: JobRecord }) => {
  const queryClient = useQueryClient()
  const retry = useJobAction((jobId: string) => client.retry(jobId))
  const remove = useDeleteRecording()
  return (
    <div className="grid gap-3">
      {job.error && (
        <Notice title={isPermanentFailure(job) ? "This file can't be transcribed" : "The transcription stopped"}>
          <bdi>{capitalize(job.error.detail)}</bdi>
        </Notice>
      )}
      {job.status === "cancelled" && <p className="text-soft">Cancelled. Nothing is lost: it can start again.</p>}
      {retry.isError && <Notice>{errorMessage(retry.error)}</Notice>}
      <div className="flex flex-wrap gap-2">
        {!isPermanentFailure(job) && (
          <Button
            variant="primary"
            icon="retry"
            disabled={retry.isPending}
            onClick={() => retry.mutate(job.job_id, { onSuccess: () => void invalidateJobs(queryClient, id) })}
          >
            Try again
          </Button>
        )}
        <Button icon="trash" onClick={() => remove({ id, title: job.title }, { leavePage: true })}>
          Remove
        </Button>
      </div>
    </div>
  )
}

const describeTimeLeft = (job: JobRecord): string => {
  const share = formatPercent(getOverallProgress(getStageViews(job)))
  return job.progress?.eta_s === undefined ? share : `${share} · ${formatTimeLeft(job.progress.eta_s)} left`
}

const ActiveJob = ({ id, job }: { id: string; job: JobRecord }) => {
  const queryClient = useQueryClient()
  const cancel = useJobAction((jobId: string) => client.cancel(jobId))
  const views = getStageViews(job)
  return (
    <div className="grid gap-4">
      <div className="flex items-center justify-between gap-3">
        {/* Announced once per stage, not at each percent. */}
        <p role="status" className="font-[600]">
          {describeActivity(views)}
        </p>
        <span className="numeric text-sm text-muted">{describeTimeLeft(job)}</span>
      </div>
      <Progress value={getOverallProgress(views)} label={`Progress of ${job.title}`} />
      <StageProgress job={job} />
      {cancel.isError && <Notice>{errorMessage(cancel.error)}</Notice>}
      <Button
        icon="close"
        disabled={cancel.isPending}
        onClick={() => cancel.mutate(job.job_id, { onSuccess: () => void invalidateJobs(queryClient, id) })}
        className="justify-self-start max-sm:h-11"
      >
        Cancel
      </Button>
    </div>
  )
}

/** The page of a recording that is not transcribed yet: its stages, and its words as they are recognized. */
export const PendingRecording = ({ id, job }: { id: string; job: JobRecord }) => {
  useJobEvents(isActive(job) ? job.job_id : undefined)
  useOpenWhenReady(id, job)
  const isTranscribing = job.stages.whisper === "running"
  const words = useLiveWords(job.job_id, isTranscribing)
  return (
    <div className="grid gap-6 pt-2">
      <title>{`${job.title} · Earmark`}</title>
      <div className="grid gap-1">
        <h1 className="text-xl font-[640] [overflow-wrap:anywhere]">
          <bdi>{job.title}</bdi>
        </h1>
        <p className="flex flex-wrap items-center gap-x-1 text-sm text-muted">
          <Link href="/" className="inline-flex min-h-6 items-center gap-0.5 rounded-sm hover:text-ink max-sm:min-h-11">
            <Icon name="back" size={14} />
            Library
          </Link>
          <span>· Added {formatTimeAgo(job.created_at)}</span>
        </p>
      </div>
      <div className="grid items-start gap-8 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <section
          aria-label="Progress"
          className="rounded-lg border border-line bg-surface px-4 py-4 sm:px-5 lg:sticky lg:top-4"
        >
          {isActive(job) ? <ActiveJob id={id} job={job} /> : <StoppedActions id={id} job={job} />}
        </section>
        {words.length > 0 ? (
          <LiveTranscript words={words} />
        ) : (
          isActive(job) && (
            <p className="max-w-[47rem] text-soft">
              {isTranscribing
                ? "Words appear here as they are recognized."
                : "Transcription has not started. You can leave this page; it goes on by itself."}
            </p>
          )
        )}
      </div>
    </div>
  )
}
