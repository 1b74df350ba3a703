"use client"
import { useCallback, useEffect, useRef, useState } from "react"
import { client, errorMessage, useJobAction, useOffline } from "../api/client.ts"
import { OfflineNotice } from "../shell/OfflineNotice.tsx"
import { HealthNotice } from "../status/HealthNotice.tsx"
import { cx } from "../ui/cx.ts"
import { lazyWithRetry } from "../ui/lazy-with-retry.tsx"
import { notifyError } from "../ui/toast-queue.ts"
import { LibraryView } from "./list/LibraryView.tsx"
import { getSourceError, type Source } from "./list/library-filters.ts"
import { stripFieldName } from "./queue/failures.ts"
import { Queue } from "./queue/Queue.tsx"
import { UploadZone } from "./upload/UploadZone.tsx"
import { useUploads } from "./upload/use-uploads.ts"
import { reportPointerActivity } from "./use-stable-list.ts"

const FirstRun = lazyWithRetry(() => import("./FirstRun.tsx").then((m) => m.FirstRun))

const writeJobToUrl = (job: string | null) => window.history.replaceState(null, "", job ? `/?job=${job}` : "/")

type LibraryProps = {
  /** The job that the address names. */
  initialJobId: string | null
  /** Whether there was nothing yet when the page was asked for. */
  isEmpty: boolean
}

const submitSource = async (source: Source) => {
  const why = getSourceError(source.source)
  if (why) throw new Error(why)
  return client.submit(source)
}

/** Sends each source on its own: what is refused says why, the others go their way. @throws when all were refused */
const submitSources = async (sources: readonly Source[]): Promise<{ first: string; refused: string[] }> => {
  const ended = await Promise.allSettled(sources.map(submitSource))
  const refused = ended.flatMap((e, i) => (e.status === "rejected" ? [{ ...sources[i]!, error: e.reason }] : []))
  const first = ended.find((e) => e.status === "fulfilled")
  if (!first) throw refused[0]!.error
  for (const { source, error } of refused) notifyError(`${source}: ${stripFieldName(errorMessage(error))}`)
  return { first: first.value.job_id, refused: refused.map((r) => r.source) }
}

/** Adds recordings, shows what becomes of them, and all that there are. */
export const Library = ({ initialJobId: opened, isEmpty: empty }: LibraryProps) => {
  const [open, setOpen] = useState(opened)
  const show = useCallback((job: string | null) => {
    setOpen(job)
    writeJobToUrl(job)
  }, [])
  const { offline: silent, retry } = useOffline()
  const uploads = useUploads(show)
  const submit = useJobAction(submitSources)
  const nothing = empty && uploads.uploads.length === 0
  // The button that was pressed goes with the offer; whoever works by keyboard goes on where the recording is at work.
  const fromOffer = useRef(false)
  useEffect(() => {
    if (nothing || !fromOffer.current) return
    fromOffer.current = false
    document.getElementById("queue")?.focus({ preventScroll: true })
  }, [nothing])
  const addSources = async (sources: readonly Source[]): Promise<string[]> => {
    const { first, refused } = await submit.mutateAsync(sources)
    show(first)
    return refused
  }
  const addSample = (file: File, title: string) => {
    fromOffer.current = true
    uploads.add([file], title)
  }
  return (
    <div className="grid grid-cols-1 gap-10">
      <div id="add" className="grid scroll-mt-6 grid-cols-1 gap-4">
        {silent && <OfflineNotice onRetry={retry} />}
        <UploadZone
          isLarge={empty}
          onFiles={uploads.add}
          onSources={addSources}
          sourceError={submit.isError ? stripFieldName(errorMessage(submit.error)) : null}
          isSubmitting={submit.isPending}
        />
        {!silent && <HealthNotice />}
      </div>
      <div
        onPointerMove={reportPointerActivity}
        onPointerDown={reportPointerActivity}
        className={cx("grid grid-cols-1 gap-10 transition-opacity", silent && "opacity-60")}
      >
        <Queue uploads={uploads} openJobId={open} onOpen={show} offline={silent} />
        <LibraryView silent={silent} />
        {nothing && <FirstRun onSample={addSample} />}
      </div>
    </div>
  )
}
