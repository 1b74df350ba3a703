"use client"
import Link from "next/link"
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { EarmarkError } from "#lib/api/client/errors.ts"
import type { Clip } from "#lib/domain/clips.ts"
import { errorMessage } from "../api/client.ts"
import { useDeleteRecording } from "../api/delete-recording.ts"
import { useClipJobs } from "../api/jobs.ts"
import { useOffline } from "../api/readiness.ts"
import { useTopicRegions } from "../api/regions.ts"
import { hasKnownSpeakers } from "../library/list/speaker-summary.ts"
import { ReplaceDialogHost } from "../replace/ReplaceDialogHost.tsx"
import { OfflineNotice } from "../shell/OfflineNotice.tsx"
import { rememberRecording } from "../shell/palette/recent-recordings.ts"
import { cx } from "../ui/cx.ts"
import { lazyWithRetry } from "../ui/lazy-with-retry.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { closeNoteDialog, useNoteDialog } from "./notes/note-dialog-store.ts"
import { PicturePane } from "./player/PicturePane.tsx"
import { Player } from "./player/Player.tsx"
import { seek, usePlayer } from "./player/player.ts"
import { usePlayerKeys } from "./player/use-player-keys.ts"
import { RecordingHeader } from "./RecordingHeader.tsx"
import { RecordingNotFound } from "./RecordingNotFound.tsx"
import { RecordingProvider } from "./recording-context.ts"
import { useClip } from "./recording-data.ts"
import { RECORDING_VIEWS, type RecordingView, showView, useRecordingView } from "./recording-view.ts"
import { closeShareDialog, useShareDialog } from "./share/share-dialog-store.ts"
import { listSpeakers } from "./speakers/speakers.ts"
import { closeSpeakersDialog, useSpeakersDialog } from "./speakers/speakers-dialog-store.ts"
import { Outline } from "./topics/Outline.tsx"
import { listTopics } from "./topics/topic-list.ts"
import { Transcript } from "./transcript/Transcript.tsx"
import { useChangesOfOthers } from "./use-changes-of-others.ts"

const PendingRecording = lazyWithRetry(() => import("./pending/PendingRecording.tsx").then((m) => m.PendingRecording))
const TopicsInProgress = lazyWithRetry(() => import("./pending/TopicsInProgress.tsx").then((m) => m.TopicsInProgress))
const RerunDialog = lazyWithRetry(() => import("./RerunDialog.tsx").then((m) => m.RerunDialog), {
  overlay: true,
  onDismiss: (p) => p.onClose(),
})
const CompareRuns = lazyWithRetry(() => import("./topics/CompareRuns.tsx").then((m) => m.CompareRuns), {
  overlay: true,
  onDismiss: (p) => p.onClose(),
})
const RunDetails = lazyWithRetry(() => import("./RunDetails.tsx").then((m) => m.RunDetails), {
  overlay: true,
  onDismiss: (p) => p.onClose(),
})
const SummariesPanel = lazyWithRetry(() => import("./summaries/SummariesPanel.tsx").then((m) => m.SummariesPanel))
const NotesPanel = lazyWithRetry(() => import("./notes/NotesPanel.tsx").then((m) => m.NotesPanel))
const NoteDialog = lazyWithRetry(() => import("./notes/NoteDialog.tsx").then((m) => m.NoteDialog), {
  overlay: true,
  onDismiss: closeNoteDialog,
})
const ShareDialog = lazyWithRetry(() => import("./share/ShareDialog.tsx").then((m) => m.ShareDialog), {
  onDismiss: closeShareDialog,
})
const SpeakersDialog = lazyWithRetry(() => import("./speakers/SpeakersDialog.tsx").then((m) => m.SpeakersDialog), {
  overlay: true,
  onDismiss: closeSpeakersDialog,
})

/** Returns the time in seconds that the address links to with `?t=83` or `#t=83`, or null. */
const parseLinkedTime = ({ search, hash }: Location): number | null => {
  const text = new URLSearchParams(search).get("t") ?? /^#t=([\d.]+)/.exec(hash)?.[1]
  const time_s = Number(text ?? Number.NaN)
  return Number.isFinite(time_s) && time_s >= 0 ? time_s : null
}

const useLinkedTime = (ready: boolean): void => {
  useEffect(() => {
    if (!ready) return
    const go = () => {
      const time_s = parseLinkedTime(window.location)
      if (time_s !== null) seek(time_s)
    }
    go()
    window.addEventListener("hashchange", go)
    return () => window.removeEventListener("hashchange", go)
  }, [ready])
}

const VIEW_LABELS: Readonly<Record<RecordingView, string>> = {
  transcript: "Transcript",
  topics: "Topics",
  summaries: "Summaries",
  notes: "Notes",
}
const toOption = (value: RecordingView) => ({ value, label: VIEW_LABELS[value] })
const NARROW_OPTIONS = RECORDING_VIEWS.map(toOption)
const WIDE_OPTIONS = RECORDING_VIEWS.filter((view) => view !== "topics").map(toOption)

/** Publishes the height of an element that stays at the top of the window, so that what sticks below it is not covered. */
const useStickyTop = (): RefObject<HTMLDivElement | null> => {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = bar
    if (!current) return
    const publish = () => {
      const sticks = getComputedStyle(current).position === "sticky"
      document.documentElement.style.setProperty("--sticky-top", `${sticks ? current.offsetHeight : 0}px`)
    }
    publish()
    const sizes = new ResizeObserver(publish)
    sizes.observe(current)
    return () => {
      sizes.disconnect()
      document.documentElement.style.removeProperty("--sticky-top")
    }
  }, [])
  return bar
}

const RecordingPage = ({ clip }: { clip: Clip }) => {
  const regions = useTopicRegions(clip.id)
  const topics = useMemo(() => listTopics(clip.tree, regions), [clip.tree, regions])
  useEffect(() => rememberRecording({ id: clip.id, title: clip.title }), [clip.id, clip.title])
  const speakers = useMemo(() => listSpeakers(clip), [clip])
  const areSpeakersKnown = hasKnownSpeakers({ diarized: clip.diarized, voices: speakers.length })
  const recording = useMemo(() => ({ clip, speakers, areSpeakersKnown }), [clip, speakers, areSpeakersKnown])
  const view = useRecordingView((s) => s.view)
  /** On a wide page, the topics are beside every other view. */
  const wideView = view === "topics" ? "transcript" : view
  useEffect(() => () => showView("transcript"), [])
  const [dialog, setDialog] = useState<"details" | "rerun" | "compare" | null>(null)
  const isShareDialogOpen = useShareDialog((s) => s.open)
  const isNoteDialogOpen = useNoteDialog((s) => s.draft !== null)
  const isSpeakersDialogOpen = useSpeakersDialog((s) => s.open)
  const hasPicture = usePlayer((s) => s.picturedId === clip.id)
  const bar = useStickyTop()
  const remove = useDeleteRecording()
  usePlayerKeys()
  useLinkedTime(true)
  useChangesOfOthers(clip.id)
  return (
    <RecordingProvider value={recording}>
      <div className="grid gap-3 pb-3">
        <RecordingHeader
          onDetails={() => setDialog("details")}
          onCompare={() => setDialog("compare")}
          onRerun={() => setDialog("rerun")}
          onDelete={() => remove(clip, { leavePage: true })}
        />
        <div className="lg:hidden">
          <Segmented label="View" value={view} onChange={showView} options={NARROW_OPTIONS} />
        </div>
      </div>
      <div
        ref={bar}
        data-player-dock
        className="z-20 border-line bg-paper max-sm:fixed max-sm:inset-x-0 max-sm:bottom-[var(--tabs)] max-sm:border-t max-sm:px-3 max-sm:py-1.5 sm:sticky sm:top-0 sm:py-3"
      >
        <Player clip={clip} topics={topics} speakers={areSpeakersKnown ? speakers : []} canMoveBoundaries />
      </div>
      <div
        className={cx(
          "gap-x-8 lg:grid lg:grid-cols-[18rem_minmax(0,1fr)]",
          hasPicture ? "xl:grid-cols-[18rem_minmax(0,1fr)_22rem]" : "xl:grid-cols-[20rem_minmax(0,1fr)]",
        )}
      >
        {hasPicture && (
          <PicturePane className="mx-auto w-full max-w-[40rem] pb-3 lg:col-start-2 xl:sticky xl:top-[var(--sticky-top)] xl:col-start-3 xl:row-start-1 xl:self-start xl:pt-3" />
        )}
        <section
          aria-label="Topics"
          data-own-scroll
          onClickCapture={(event) => {
            // On a narrow page, a topic leads from the outline to its place in the transcript.
            if ((event.target as Element).closest("[data-topic]")) flushSync(() => showView("transcript"))
          }}
          className={cx(
            "pt-1 pr-1.5 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:sticky lg:top-[var(--sticky-top)] lg:block lg:max-h-[calc(100dvh-var(--sticky-top))] lg:self-start lg:overflow-y-auto lg:overscroll-contain",
            view !== "topics" && "hidden",
          )}
        >
          {clip.provider === null ? (
            <TopicsInProgress clipId={clip.id} />
          ) : (
            <Outline tree={clip.tree} topics={topics} />
          )}
        </section>
        <div className={cx("min-w-0 lg:col-start-2 lg:block xl:row-start-1", view === "topics" && "hidden")}>
          <div className="mx-auto max-w-[47rem] pt-3 max-lg:hidden">
            <Segmented label="View beside the topics" value={wideView} onChange={showView} options={WIDE_OPTIONS} />
          </div>
          {wideView === "summaries" && <SummariesPanel />}
          {wideView === "notes" && <NotesPanel />}
          <div className={cx(wideView !== "transcript" && "hidden")}>
            <Transcript topics={topics} />
          </div>
        </div>
      </div>
      <ReplaceDialogHost clipId={clip.id} />
      {isShareDialogOpen && <ShareDialog />}
      {isNoteDialogOpen && <NoteDialog />}
      {isSpeakersDialogOpen && <SpeakersDialog />}
      {dialog === "details" && <RunDetails open onClose={() => setDialog(null)} />}
      {dialog === "compare" && <CompareRuns onClose={() => setDialog(null)} />}
      {dialog === "rerun" && <RerunDialog open onClose={() => setDialog(null)} />}
    </RecordingProvider>
  )
}

const PlaceholderBar = ({ className }: { className: string }) => (
  <div className={cx("rounded-full bg-line", className)} />
)

const Loading = () => (
  <div aria-busy="true" className="grid animate-pulse content-start gap-6">
    <span className="sr-only">Loading recording</span>
    <div className="grid gap-2">
      <PlaceholderBar className="h-6 w-80 max-w-full" />
      <PlaceholderBar className="h-3 w-48" />
    </div>
    <div className="h-24 rounded-lg bg-line/60" />
    <div className="grid gap-3">
      {["w-3/5", "w-4/5", "w-2/3", "w-3/4", "w-1/2"].map((width) => (
        <PlaceholderBar key={width} className={cx("h-3", width)} />
      ))}
    </div>
  </div>
)

/** Shown above a recording that was deleted in another window. Its content stays visible until the page is closed. */
const DeletedNotice = () => (
  <div className="pb-3">
    <Notice title="This recording was deleted">
      It was deleted in another window or by someone else. This page shows the last loaded version, which is no longer
      stored.{" "}
      <Link href="/" className="rounded-sm font-[560] text-ink underline underline-offset-4">
        Go to library
      </Link>
    </Notice>
  </div>
)

/** The page of one recording. */
export const Recording = ({ id }: { id: string }) => {
  const clip = useClip(id)
  const unknown = clip.error instanceof EarmarkError && clip.error.status === 404
  // The clip exists once the recording is transcribed. Until then, its page shows the job.
  const jobs = useClipJobs(id, unknown && !clip.data)
  const job = unknown && !clip.data ? jobs.data?.jobs[0] : undefined
  const isMissing = unknown && !clip.data && jobs.isSuccess && !job
  const { offline, retry } = useOffline()
  return (
    <main id="content" className="mx-auto w-full max-w-[104rem] px-4 pt-1 pb-[var(--bottom-bars)] sm:px-8">
      {(clip.isPending || (unknown && !clip.data && jobs.isPending)) && <Loading />}
      {job && <PendingRecording id={id} job={job} />}
      {isMissing && <RecordingNotFound />}
      {clip.isError && !clip.data && (!unknown || jobs.isError) && (
        <div className="grid max-w-xl gap-4 pt-10">
          <h1 className="text-2xl font-[640]">Couldn't load the recording</h1>
          <Notice onRetry={() => (unknown ? jobs : clip).refetch()}>{errorMessage(jobs.error ?? clip.error)}</Notice>
          <Link href="/" className="w-fit rounded-sm text-accent underline underline-offset-4">
            Go to library
          </Link>
        </div>
      )}
      {clip.data && offline && (
        <div className="pb-3">
          <OfflineNotice onRetry={retry} />
        </div>
      )}
      {clip.data && unknown && <DeletedNotice />}
      {clip.data && <RecordingPage key={id} clip={clip.data} />}
    </main>
  )
}
