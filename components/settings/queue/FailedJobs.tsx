"use client"
import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import { client, errorMessage } from "../../api/client.ts"
import { useHiddenRecordings } from "../../api/delete-recording.ts"
import { isPermanentFailure } from "../../api/job-failures.ts"
import { useJobAction } from "../../api/jobs.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { RemoveJobButton } from "../../library/queue/RemoveJobButton.tsx"
import { Button } from "../../ui/Button.tsx"
import { capitalize, formatCount, formatTimeAgo } from "../../ui/format.ts"
import { notify, notifyError } from "../../ui/toast-queue.ts"

const MAX_SHOWN = 50
const RETRY_PAGE = 100

/** Queues every failed job again whose error is not in its file. Returns how many that are. */
const retryAll = async (): Promise<number> => {
  let retried = 0
  const attempted = new Set<string>()
  for (;;) {
    const { jobs } = await client.jobs({ status: "error", limit: RETRY_PAGE })
    const next = jobs.filter((job) => !attempted.has(job.job_id) && !isPermanentFailure(job))
    if (next.length === 0) return retried
    for (const { job_id } of next) {
      attempted.add(job_id)
      await client.retry(job_id)
      retried++
    }
  }
}

/** The latest failed jobs with their errors. */
export const FailedJobs = () => {
  const failed = useQuery({
    queryKey: queryKeys.failedJobs,
    queryFn: ({ signal }) => client.jobs({ status: "error", limit: MAX_SHOWN }, { signal }),
  })
  const retry = useJobAction((id: string) => client.retry(id))
  const all = useJobAction(retryAll)
  const hidden = useHiddenRecordings()
  const list = failed.data?.jobs.filter((job) => !hidden.has(job.session_id)) ?? []
  return (
    <section aria-labelledby="failed-jobs" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="failed-jobs" className="text-xl font-[620]">
          Failed jobs
        </h2>
        {list.some((job) => !isPermanentFailure(job)) && (
          <Button
            icon="retry"
            disabled={all.isPending}
            onClick={() =>
              all.mutate(undefined, {
                onSuccess: (count) => notify(`${formatCount(count, "job")} queued again`),
                onError: (error) => notifyError(errorMessage(error)),
              })
            }
          >
            {all.isPending ? "Retrying…" : "Retry all"}
          </Button>
        )}
      </div>
      {failed.isSuccess && list.length === 0 && <p className="text-sm text-muted">No failed jobs.</p>}
      {failed.isError && <p className="text-sm text-bad">{errorMessage(failed.error)}</p>}
      <ul className="divide-y divide-line">
        {list.map((job) => (
          <li key={job.job_id} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
            <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <Link href={`/?job=${job.job_id}`} className="rounded-sm font-[580] hover:text-accent">
                  <bdi>{job.title}</bdi>
                </Link>
                <span className="text-xs text-muted">
                  {job.error && `failed at “${STAGE_TABLE[job.error.stage].label}” · `}
                  {formatTimeAgo(job.finished_at ?? job.created_at)}
                </span>
              </p>
              <p className="text-sm text-soft [overflow-wrap:anywhere]">
                <bdi>{capitalize(job.error?.detail ?? "No error message was recorded.")}</bdi>
              </p>
            </div>
            {isPermanentFailure(job) ? (
              <RemoveJobButton job={job} />
            ) : (
              <Button
                icon="retry"
                disabled={retry.isPending}
                onClick={() =>
                  retry.mutate(job.job_id, {
                    onSuccess: () => {
                      notify("Job queued again")
                      void failed.refetch()
                    },
                    onError: (error) => notifyError(errorMessage(error)),
                  })
                }
              >
                Try again
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
