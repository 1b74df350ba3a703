"use client"
import Link from "next/link"
import { useEffect, useMemo, useState } from "react"
import { EarmarkError } from "#lib/api/client/errors.ts"
import type { Clip } from "#lib/domain/clips.ts"
import { sentence, useSilence } from "../api.ts"
import { OfflineNotice } from "../library/OfflineNotice.tsx"
import { useDelete } from "../library/use-delete.ts"
import { cx } from "../ui/cx.ts"
import { lazily } from "../ui/lazy.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { RecordingProvider } from "./context.ts"
import { useClip } from "./data.ts"
import { Player } from "./player/Player.tsx"
import { seek } from "./player/player.ts"
import { RecordingHeader } from "./RecordingHeader.tsx"
import { voicesOf } from "./speakers/speakers.ts"
import { closeVoices, useVoicesDialog } from "./speakers/speakers-dialog-store.ts"
import { Outline } from "./topics/Outline.tsx"
import { topicsOf } from "./topics/topics.ts"
import { Transcript } from "./transcript/Transcript.tsx"
import { useKeys } from "./use-keys.ts"

const Again = lazily(() => import("./RerunDialog.tsx").then((m) => m.RerunDialog), {
  over: true,
  close: (p) => p.onClose(),
})
const Compare = lazily(() => import("./topics/CompareRuns.tsx").then((m) => m.CompareRuns), {
  over: true,
  close: (p) => p.onClose(),
})
const Made = lazily(() => import("./RunDetails.tsx").then((m) => m.RunDetails), {
  over: true,
  close: (p) => p.onClose(),
})
const Voices = lazily(() => import("./speakers/SpeakersDialog.tsx").then((m) => m.SpeakersDialog), {
  over: true,
  close: closeVoices,
})

/** `?t=83` or `#t=83`: the second that a link leads to. */
const secondOf = ({ search, hash }: Location): number | null => {
  const text = new URLSearchParams(search).get("t") ?? /^#t=([\d.]+)/.exec(hash)?.[1]
  const second = Number(text ?? Number.NaN)
  return Number.isFinite(second) && second >= 0 ? second : null
}

const useLinkedSecond = (ready: boolean): void => {
  useEffect(() => {
    if (!ready) return
    const go = () => {
      const second = secondOf(window.location)
      if (second !== null) seek(second)
    }
    go()
    window.addEventListener("hashchange", go)
    return () => window.removeEventListener("hashchange", go)
  }, [ready])
}

type View = "topics" | "transcript"

const Loaded = ({ clip }: { clip: Clip }) => {
  const topics = useMemo(() => topicsOf(clip.tree), [clip.tree])
  const voices = useMemo(() => voicesOf(clip), [clip])
  const recording = useMemo(() => ({ clip, voices }), [clip, voices])
  const [view, setView] = useState<View>("transcript")
  const [dialog, setDialog] = useState<"made" | "again" | "compare" | null>(null)
  const named = useVoicesDialog((s) => s.open)
  const remove = useDelete()
  useKeys()
  useLinkedSecond(true)
  return (
    <RecordingProvider value={recording}>
      <div className="grid shrink-0 gap-3 pb-3">
        <RecordingHeader
          onMade={() => setDialog("made")}
          onCompare={() => setDialog("compare")}
          onAgain={() => setDialog("again")}
          onDelete={() => remove(clip, { away: true })}
        />
        <Player clip={clip} topics={topics} borders />
        <div className="lg:hidden">
          <Segmented
            label="View"
            value={view}
            onChange={setView}
            options={[
              { value: "transcript", label: "Transcript" },
              { value: "topics", label: "Topics" },
            ]}
          />
        </div>
      </div>
      <div className="flex min-h-0 flex-1 gap-6">
        <section
          aria-label="Topics"
          className={cx(
            "min-h-0 w-full overflow-y-auto overscroll-contain pt-1 pr-1.5 lg:block lg:w-88 lg:shrink-0",
            view !== "topics" && "hidden",
          )}
        >
          <Outline tree={clip.tree} topics={topics} />
        </section>
        <div
          className={cx(
            "min-h-0 min-w-0 flex-1 flex-col overflow-hidden rounded-t-lg border border-b-0 border-line bg-surface lg:flex",
            view === "transcript" ? "flex" : "hidden",
          )}
        >
          <Transcript topics={topics} />
        </div>
      </div>
      {named && <Voices />}
      {dialog === "made" && <Made open onClose={() => setDialog(null)} />}
      {dialog === "compare" && <Compare onClose={() => setDialog(null)} />}
      {dialog === "again" && <Again open onClose={() => setDialog(null)} />}
    </RecordingProvider>
  )
}

const Bar = ({ className }: { className: string }) => <div className={cx("rounded-full bg-line", className)} />

const Loading = () => (
  <div aria-busy="true" className="grid animate-breathe content-start gap-6">
    <span className="sr-only">Loading the recording</span>
    <div className="grid gap-2">
      <Bar className="h-6 w-80 max-w-full" />
      <Bar className="h-3 w-48" />
    </div>
    <div className="h-24 rounded-lg bg-line/60" />
    <div className="grid gap-3">
      {["w-3/5", "w-4/5", "w-2/3", "w-3/4", "w-1/2"].map((width) => (
        <Bar key={width} className={cx("h-3", width)} />
      ))}
    </div>
  </div>
)

/** What is still seen was deleted elsewhere: nothing is taken from the reader, but nothing of it is kept any more. */
const Gone = () => (
  <div className="pb-3">
    <Notice title="This recording was deleted">
      In another window, or by somebody else. What you still see of it is kept nowhere.{" "}
      <Link href="/" className="rounded-sm font-[560] text-ink underline underline-offset-4">
        To the library
      </Link>
    </Notice>
  </div>
)

/** The page of one recording: reads it, then shows it, or says why it cannot. */
export const Recording = ({ id }: { id: string }) => {
  const clip = useClip(id)
  const unknown = clip.error instanceof EarmarkError && clip.error.status === 404
  const { silent, retry } = useSilence()
  return (
    <main
      id="content"
      className="mx-auto flex min-h-0 w-full max-w-[104rem] flex-1 flex-col px-4 pt-1 max-sm:pb-14 sm:px-8"
    >
      {clip.isPending && <Loading />}
      {clip.isError && !clip.data && (
        <div className="grid max-w-xl gap-4 pt-10">
          <h1 className="text-2xl font-[640]">{unknown ? "No such recording" : "The recording did not come"}</h1>
          {unknown ? (
            <p className="text-soft">
              There is none at this address. It may have been deleted, or the link may be cut short.
            </p>
          ) : (
            <Notice onRetry={() => clip.refetch()}>{sentence(clip.error)}</Notice>
          )}
          <Link href="/" className="w-fit rounded-sm text-accent underline underline-offset-4">
            To the library
          </Link>
        </div>
      )}
      {clip.data && silent && (
        <div className="pb-3">
          <OfflineNotice onRetry={retry} />
        </div>
      )}
      {clip.data && unknown && <Gone />}
      {clip.data && <Loaded key={id} clip={clip.data} />}
    </main>
  )
}
