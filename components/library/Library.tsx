"use client"
import { useCallback, useEffect, useRef, useState } from "react"
import { client, sentence, useJobAction, useSilence } from "../api.ts"
import { cx } from "../ui/cx.ts"
import { lazily } from "../ui/lazy.tsx"
import { complain } from "../ui/messages.ts"
import { besideField } from "./failures.ts"
import { LibraryView } from "./LibraryView.tsx"
import { notASource, type Source } from "./library-filters.ts"
import { OfflineNotice } from "./OfflineNotice.tsx"
import { PartsNotice } from "./PartsNotice.tsx"
import { Queue } from "./Queue.tsx"
import { UploadZone } from "./UploadZone.tsx"
import { pointing } from "./use-stable-list.ts"
import { useUploads } from "./use-uploads.ts"

const FirstRun = lazily(() => import("./FirstRun.tsx").then((m) => m.FirstRun))

const writeAddress = (job: string | null) => window.history.replaceState(null, "", job ? `/?job=${job}` : "/")

type LibraryProps = {
  /** The job that the address names. */
  opened: string | null
  /** Whether there was nothing yet when the page was asked for. */
  empty: boolean
}

const submitOne = async (source: Source) => {
  const why = notASource(source.source)
  if (why) throw new Error(why)
  return client.submit(source)
}

/** Sends each source on its own: what is refused says why, the others go their way. @throws when all were refused */
const submitAll = async (sources: readonly Source[]): Promise<{ first: string; refused: string[] }> => {
  const ended = await Promise.allSettled(sources.map(submitOne))
  const refused = ended.flatMap((e, i) => (e.status === "rejected" ? [{ ...sources[i]!, error: e.reason }] : []))
  const first = ended.find((e) => e.status === "fulfilled")
  if (!first) throw refused[0]!.error
  for (const { source, error } of refused) complain(`${source}: ${besideField(sentence(error))}`)
  return { first: first.value.job_id, refused: refused.map((r) => r.source) }
}

/** Adds recordings, shows what becomes of them, and all that there are. */
export const Library = ({ opened, empty }: LibraryProps) => {
  const [open, setOpen] = useState(opened)
  const show = useCallback((job: string | null) => {
    setOpen(job)
    writeAddress(job)
  }, [])
  const { silent, retry } = useSilence()
  const uploads = useUploads(show)
  const submit = useJobAction(submitAll)
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
          large={empty}
          onFiles={uploads.add}
          onSources={addSources}
          sourceError={submit.isError ? besideField(sentence(submit.error)) : null}
          sending={submit.isPending}
        />
        {!silent && <PartsNotice />}
      </div>
      <div
        onPointerMove={pointing}
        onPointerDown={pointing}
        className={cx("grid grid-cols-1 gap-10 transition-opacity", silent && "opacity-60")}
      >
        <Queue uploads={uploads} opened={open} onOpen={show} silent={silent} />
        <LibraryView silent={silent} />
        {nothing && <FirstRun onSample={addSample} />}
      </div>
    </div>
  )
}
