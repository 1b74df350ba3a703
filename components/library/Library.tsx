"use client"
import { useCallback, useEffect, useState } from "react"
import { client, errorMessage } from "../api/client.ts"
import type { ClipPage } from "../api/clips.ts"
import { stripFieldName } from "../api/job-failures.ts"
import { useJobAction } from "../api/jobs.ts"
import { useOffline } from "../api/readiness.ts"
import { HealthNotice } from "../installation/HealthNotice.tsx"
import { OfflineNotice } from "../shell/OfflineNotice.tsx"
import { cx } from "../ui/cx.ts"
import { lazyWithRetry } from "../ui/lazy-with-retry.tsx"
import { notifyError } from "../ui/toast-queue.ts"
import { LibraryView } from "./list/LibraryView.tsx"
import { Queue } from "./queue/Queue.tsx"
import { getSourceError, type Source } from "./upload/sources.ts"
import { UploadZone } from "./upload/UploadZone.tsx"
import { useUploads } from "./upload/use-uploads.ts"
import { reportPointerActivity } from "./use-stable-list.ts"

const Checklist = lazyWithRetry(() => import("./first-run/Checklist.tsx").then((m) => m.Checklist))
const FirstRun = lazyWithRetry(() => import("./first-run/FirstRun.tsx").then((m) => m.FirstRun))

/** Names the open job in the address, beside the search and the filters. */
const writeJobToUrl = (job: string | null) => {
  const search = new URLSearchParams(window.location.search)
  if (job === null) search.delete("job")
  else search.set("job", job)
  const query = search.toString()
  window.history.replaceState(null, "", query === "" ? "/" : `/?${query}`)
}

/** The first steps are shown in a library of at most this size. */
const MAX_FIRST_CLIPS = 5

type LibraryProps = {
  /** The job named in the URL. */
  initialJobId: string | null
  /** True if the library had no recordings when the page was requested. */
  isEmpty: boolean
  /** The first page of recordings, as the server has rendered it. */
  initialClips: ClipPage | undefined
  /** When the server rendered the page, in Unix milliseconds. */
  initialNow: number
}

const submitSource = async (source: Source) => {
  const why = getSourceError(source.source)
  if (why) throw new Error(why)
  return client.submit(source)
}

/**
 * Submits each source as its own job and reports rejected ones.
 * @throws the first error if all sources are rejected
 */
const submitSources = async (sources: readonly Source[]): Promise<{ first: string; rejected: string[] }> => {
  const ended = await Promise.allSettled(sources.map(submitSource))
  const rejected = ended.flatMap((e, i) => (e.status === "rejected" ? [{ ...sources[i]!, error: e.reason }] : []))
  const first = ended.find((e) => e.status === "fulfilled")
  if (!first) throw rejected[0]!.error
  for (const { source, error } of rejected) notifyError(`${source}: ${stripFieldName(errorMessage(error))}`)
  return { first: first.value.job_id, rejected: rejected.map((r) => r.source) }
}

/** The library page: adding recordings, the queue, and all recordings. */
export const Library = ({ initialJobId, isEmpty, initialClips, initialNow }: LibraryProps) => {
  const [open, setOpen] = useState(initialJobId)
  const show = useCallback((job: string | null) => {
    setOpen(job)
    writeJobToUrl(job)
  }, [])
  const { offline, retry } = useOffline()
  const uploads = useUploads(show)
  const submit = useJobAction(submitSources)
  const [isAdding, setAdding] = useState(false)
  const openUpload = useCallback(() => {
    setAdding(true)
    document.getElementById("add")?.scrollIntoView({ block: "nearest" })
  }, [])
  // Links to "#add" open it, such as those of the palette.
  useEffect(() => {
    const openIfLinked = () => window.location.hash === "#add" && openUpload()
    openIfLinked()
    window.addEventListener("hashchange", openIfLinked)
    return () => window.removeEventListener("hashchange", openIfLinked)
  }, [openUpload])
  const isUploadOpen = isEmpty || isAdding || submit.isError
  // More recordings belong to somebody who knows the way.
  const isNew = (initialClips?.clips.length ?? 0) <= MAX_FIRST_CLIPS
  const nothing = isEmpty && uploads.uploads.length === 0
  const addSources = async (sources: readonly Source[]): Promise<string[]> => {
    const { first, rejected } = await submit.mutateAsync(sources)
    show(first)
    return rejected
  }
  return (
    <div className="grid grid-cols-1 gap-10">
      <div id="add" className={cx("grid scroll-mt-6 grid-cols-1 gap-4", !isUploadOpen && "-mb-8")}>
        {offline && <OfflineNotice onRetry={retry} />}
        <UploadZone
          isLarge={isEmpty}
          isOpen={isUploadOpen}
          onClose={() => {
            setAdding(false)
            submit.reset()
          }}
          onFiles={uploads.add}
          onSources={addSources}
          sourceError={submit.isError ? stripFieldName(errorMessage(submit.error)) : null}
          isSubmitting={submit.isPending}
        />
        {!offline && <HealthNotice />}
      </div>
      <div
        onPointerMove={reportPointerActivity}
        onPointerDown={reportPointerActivity}
        className={cx("grid grid-cols-1 gap-10 transition-opacity", offline && "opacity-60")}
      >
        <Queue uploads={uploads} openJobId={open} onOpen={show} offline={offline} />
        <LibraryView
          offline={offline}
          initial={initialClips}
          initialNow={initialNow}
          wasEmpty={isEmpty}
          onAdd={openUpload}
        />
        {/* Below the list, which would move when it appears. */}
        {isNew && <Checklist />}
        {nothing && <FirstRun />}
      </div>
    </div>
  )
}
