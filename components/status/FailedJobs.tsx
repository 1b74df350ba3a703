"use client"
import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import { client, errorMessage, useJobAction } from "../api/client.ts"
import { useHiddenRecordings } from "../library/hidden.ts"
import { isPermanentFailure } from "../library/queue/failures.ts"
import { RemoveJobButton } from "../library/queue/RemoveJobButton.tsx"
import { Button } from "../ui/Button.tsx"
import { capitalize, formatTimeAgo } from "../ui/format.ts"
import { notify, notifyError } from "../ui/toast-queue.ts"

const MAX_SHOWN = 8

/** The last runs that stopped, each with the sentence that says what to do. */
export const FailedJobs = () => {
  const failed = useQuery({
    queryKey: ["jobs", "failed"],
    queryFn: ({ signal }) => client.jobs({ status: "error", limit: MAX_SHOWN }, { signal }),
  })
  const retry = useJobAction((id: string) => client.retry(id))
  const hidden = useHiddenRecordings()
  const list = failed.data?.jobs.filter((job) => !hidden.has(job.session_id)) ?? []
  return (
    <section aria-labelledby="troubles" className="grid gap-3">
      <h2 id="troubles" className="text-xl font-[620]">
        Last errors
      </h2>
      {failed.isSuccess && list.length === 0 && (
        <p className="text-sm text-muted">None: no run has stopped on an error.</p>
      )}
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
                  {job.error && `stopped at “${STAGE_TABLE[job.error.stage].label}” · `}
                  {formatTimeAgo(job.finished_at ?? job.created_at)}
                </span>
              </p>
              <p className="text-sm text-soft [overflow-wrap:anywhere]">
                <bdi>{capitalize(job.error?.detail ?? "It said nothing.")}</bdi>
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
                      notify("Back in the queue")
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
