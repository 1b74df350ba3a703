"use client"
import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import { client, sentence, useJobAction } from "../api.ts"
import { DismissJob } from "../library/DismissJob.tsx"
import { isPermanentFailure } from "../library/failures.ts"
import { useHidden } from "../library/hidden.ts"
import { Button } from "../ui/Button.tsx"
import { ago, capital } from "../ui/format.ts"
import { complain, notify } from "../ui/messages.ts"

const SHOWN = 8

/** The last runs that stopped, each with the sentence that says what to do. */
export const Problems = () => {
  const failed = useQuery({
    queryKey: ["jobs", "failed"],
    queryFn: ({ signal }) => client.jobs({ status: "error", limit: SHOWN }, { signal }),
  })
  const retry = useJobAction((id: string) => client.retry(id))
  const hidden = useHidden()
  const list = failed.data?.jobs.filter((job) => !hidden.has(job.session_id)) ?? []
  return (
    <section aria-labelledby="troubles" className="grid gap-3">
      <h2 id="troubles" className="text-xl font-[620]">
        Last errors
      </h2>
      {failed.isSuccess && list.length === 0 && (
        <p className="text-sm text-muted">None: no run has stopped on an error.</p>
      )}
      {failed.isError && <p className="text-sm text-bad">{sentence(failed.error)}</p>}
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
                  {ago(job.finished_at ?? job.created_at)}
                </span>
              </p>
              <p className="text-sm text-soft [overflow-wrap:anywhere]">
                <bdi>{capital(job.error?.detail ?? "It said nothing.")}</bdi>
              </p>
            </div>
            {isPermanentFailure(job) ? (
              <DismissJob job={job} />
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
                    onError: (error) => complain(sentence(error)),
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
