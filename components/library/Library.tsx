"use client"
import { useCallback, useState } from "react"
import { client, isActive, isSilent, sentence, useJobAction, useJobs, useSilence } from "../api.ts"
import { Button } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { capital, count } from "../ui/format.ts"
import { Notice } from "../ui/Notice.tsx"
import { FirstRun, PartsNotice } from "./FirstRun.tsx"
import { JobCard } from "./JobCard.tsx"
import { Silence } from "./Silence.tsx"
import { UploadCard } from "./UploadCard.tsx"
import { UploadZone } from "./UploadZone.tsx"
import { useUploads } from "./use-uploads.ts"

/** Event streams held at a time: a browser opens six connections to one host, and the page needs some itself. */
const STREAMS = 2

const writeAddress = (job: string | null) => window.history.replaceState(null, "", job ? `/?job=${job}` : "/")

const Loading = () => (
  <ul aria-busy="true" className="grid animate-breathe gap-2.5">
    {[0, 1, 2].map((row) => (
      <li key={row} className="h-[4.5rem] rounded-lg border border-line bg-surface" />
    ))}
    <li className="sr-only">Loading recordings</li>
  </ul>
)

/** The interface names the field that it speaks of; beside that field the name is noise. */
const besideField = (detail: string): string => capital(detail.replace(/^source: /, ""))

/** Adds recordings and shows what becomes of them. `opened` is the job that the address names. */
export const Library = ({ opened }: { opened: string | null }) => {
  const [open, setOpen] = useState(opened)
  const show = useCallback((job: string | null) => {
    setOpen(job)
    writeAddress(job)
  }, [])
  const jobs = useJobs()
  const { silent, retry } = useSilence()
  const { uploads, add, remove, again } = useUploads(show)
  const submit = useJobAction((source: string) => client.submit({ source }))
  const onSource = (source: string) =>
    submit.mutate(source, { onSuccess: (answer) => show((answer as { job_id: string }).job_id) })

  const list = jobs.data?.pages.flatMap((page) => page.jobs) ?? []
  const streamed = new Set(
    [...list]
      .filter(isActive)
      .reverse()
      .slice(0, STREAMS)
      .map((job) => job.job_id),
  )
  return (
    <div className="grid grid-cols-1 gap-10">
      <div className="grid grid-cols-1 gap-4">
        {silent && <Silence onRetry={retry} />}
        <UploadZone
          onFiles={add}
          onSource={onSource}
          sourceError={submit.isError ? besideField(sentence(submit.error)) : null}
          sending={submit.isPending}
        />
        {!silent && <PartsNotice />}
      </div>
      <section aria-labelledby="recordings" className="grid grid-cols-1 gap-4">
        <div className="flex items-baseline justify-between">
          <h2 id="recordings" className="text-xl font-[620]">
            Recordings
          </h2>
          {list.length > 0 && (
            <p className="numeric text-sm text-muted">
              {jobs.hasNextPage
                ? `The newest ${count(list.length, "run")}`
                : `${count(list.length, "run")}, newest first`}
            </p>
          )}
        </div>
        {jobs.isError && !silent && !isSilent(jobs.error) && (
          <Notice title="The list of recordings did not come" onRetry={() => jobs.refetch()}>
            {sentence(jobs.error)}
          </Notice>
        )}
        {uploads.length > 0 && (
          <ul className="grid grid-cols-1 gap-2.5">
            {uploads.map((upload) => (
              <UploadCard key={upload.id} upload={upload} onStop={() => remove(upload)} onAgain={() => again(upload)} />
            ))}
          </ul>
        )}
        {(jobs.isPending || (silent && !jobs.data)) && <Loading />}
        {jobs.isSuccess && list.length === 0 && uploads.length === 0 && <FirstRun onFiles={add} />}
        <ul className={cx("grid grid-cols-1 gap-2.5 transition-opacity", silent && "opacity-60")}>
          {list.map((job) => (
            <JobCard
              key={job.job_id}
              job={job}
              open={open === job.job_id}
              follow={streamed.has(job.job_id)}
              onToggle={() => show(open === job.job_id ? null : job.job_id)}
            />
          ))}
        </ul>
        {jobs.hasNextPage && (
          <Button
            icon="down"
            disabled={jobs.isFetchingNextPage}
            onClick={() => jobs.fetchNextPage()}
            className="justify-self-center"
          >
            {jobs.isFetchingNextPage ? "Reading older runs" : "Show older"}
          </Button>
        )}
      </section>
    </div>
  )
}
