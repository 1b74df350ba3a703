"use client"
import { useWindowVirtualizer, type Virtualizer } from "@tanstack/react-virtual"
import { type MouseEvent, useCallback, useMemo, useRef, useState } from "react"
import { useRecordingNotes } from "../../api/recording-notes.ts"
import { formatClock } from "../../ui/format.ts"
import { topicStyle } from "../../ui/hues.ts"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { findHighlights, groupHighlights } from "../notes/highlights.ts"
import { seek, usePlayer } from "../player/player.ts"
import { useRecording } from "../recording-context.ts"
import type { Topic } from "../topics/topic-list.ts"
import { createDraft, type Draft, groupDraftsByRow } from "./correction-drafts.ts"
import { FollowButton } from "./FollowButton.tsx"
import { Paragraph } from "./Paragraph.tsx"
import type { ParagraphSpan } from "./paragraphs.ts"
import { findIndexAt } from "./paragraphs.ts"
import { SelectionToolbar } from "./SelectionToolbar.tsx"
import { TranscriptBar } from "./TranscriptBar.tsx"
import { buildRows, findRowOfWord, type Row } from "./transcript-rows.ts"
import { useActiveWord } from "./use-active-word.ts"
import { useFind } from "./use-find.ts"
import { useHidesFillers } from "./use-hides-fillers.ts"
import { scrollToReadingLine, usePageOffset, useScrollStopsFollowing } from "./use-page-scroll.ts"

const CorrectionForm = lazyWithRetry(() => import("./CorrectionForm.tsx").then((m) => m.CorrectionForm), {
  onDismiss: (p) => p.onClose(),
})

const SelectionNotes = lazyWithRetry(() => import("../notes/SelectionNotes.tsx").then((m) => m.SelectionNotes))

const LINE_PX = 30
const LINE_CHARACTERS = 74

/** Estimates the height of a row in pixels until it is measured. */
const estimateHeight = (row: Row): number =>
  row.kind === "topic"
    ? 76
    : 44 + LINE_PX * Math.ceil(((row.paragraph.end - row.paragraph.first) * 5.4) / LINE_CHARACTERS)

/**
 * Returns the height of a row from its resize entry. Measuring the element itself would force a layout per new row. Without
 * an entry, it returns the last known or estimated height, which the observer corrects before the next paint.
 */
const measureHeight = (
  element: Element,
  entry: ResizeObserverEntry | undefined,
  virtual: Virtualizer<Window, Element>,
) => {
  const height = entry?.borderBoxSize[0]?.blockSize
  if (height !== undefined) return Math.round(height)
  const index = virtual.indexFromElement(element)
  return virtual.itemSizeCache.get(virtual.options.getItemKey(index)) ?? virtual.options.estimateSize(index)
}

const TopicHeading = ({ topic }: { topic: Topic }) => (
  <div style={topicStyle(topic.color)} className="flex items-baseline gap-3 pt-8 pb-2 sm:pl-[4.5rem]">
    <span aria-hidden="true" className="h-3.5 w-1 shrink-0 self-center rounded-full bg-(--topic)" />
    <h3 className="min-w-0 flex-1 text-lg font-[640]">
      <bdi>{topic.node.title}</bdi>
    </h3>
    <span className="numeric text-xs text-muted">{formatClock(topic.node.start_s)}</span>
  </div>
)

/**
 * The transcript. The page scrolls, and only rows in its window are rendered, so that long recordings scroll smoothly. The
 * current word is highlighted without rendering.
 */
export const Transcript = ({ topics }: { topics: readonly Topic[] }) => {
  const { clip, speakers, areSpeakersKnown } = useRecording()
  const words = clip.transcription
  const container = useRef<HTMLElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  const [hidesFillers, setHidesFillers] = useHidesFillers()
  const rows = useMemo(() => buildRows(words, topics), [words, topics])
  // The number of an only speaker says nothing; a name does.
  const areSpeakersShown = (areSpeakersKnown && speakers.length > 1) || Object.keys(clip.speakers).length > 0
  const speakersById = useMemo(
    () => new Map(areSpeakersShown ? speakers.map((s) => [s.id, s]) : []),
    [speakers, areSpeakersShown],
  )
  // A new function would make the virtualizer recompute all positions on each render.
  const keyOf = useMemo(() => {
    const keys = rows.map((row, i) => `${row.kind}${row.start_s}-${i}`)
    return (i: number) => keys[i]!
  }, [rows])
  const sizeOf = useCallback((i: number) => estimateHeight(rows[i]!), [rows])
  const scrollMargin = usePageOffset(list)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: sizeOf,
    getItemKey: keyOf,
    measureElement: measureHeight,
    scrollMargin,
    // The virtualizer updates positions in the DOM directly. React renders only when other rows become visible.
    directDomUpdates: true,
    directDomUpdatesMode: "position",
    useFlushSync: false,
    overscan: 3,
  })
  const reveal = useCallback(
    (time: number, element: Element | null = null) => {
      // A row that was scrolled out of view is no longer in the document.
      if (element?.isConnected) scrollToReadingLine(element)
      // A time before the first word scrolls to the start.
      else virtual.scrollToIndex(Math.max(0, findIndexAt(rows, time)), { align: "center" })
    },
    [rows, virtual],
  )
  const isPlaying = usePlayer((s) => s.isPlaying)
  const rowOf = useCallback((word: number) => findRowOfWord(rows, word), [rows])
  const spokenRow = useActiveWord({ container, words, rows, reveal, findRow: rowOf })
  const find = useFind(words, reveal)
  const notes = useRecordingNotes(clip.id).data?.notes
  const highlightsOf = useMemo(() => groupHighlights(findHighlights(words, notes ?? [])), [words, notes])
  useScrollStopsFollowing()

  const draftRows = useMemo(() => groupDraftsByRow(drafts, rows, words), [drafts, rows, words])
  const onClick = (event: MouseEvent) => {
    // The words may have become elements after pointerdown. Then the event target is the paragraph.
    const element = document.elementFromPoint(event.clientX, event.clientY) ?? (event.target as HTMLElement)
    const n = element.closest<HTMLElement>("[data-w]")?.dataset.w
    if (n === undefined || !window.getSelection()?.isCollapsed) return
    const word = words[Number(n)]
    if (word) seek(word.start)
  }
  const onCorrect = useCallback(
    (paragraph: ParagraphSpan) => setDrafts((all) => [...all, createDraft(words, paragraph)]),
    [words],
  )
  const close = (draft: Draft) => setDrafts((all) => all.filter((d) => d !== draft))
  if (words.length === 0)
    return (
      <p className="py-6 text-sm text-muted">
        {clip.speech_engine === null && clip.provider === null
          ? "The transcript isn't ready yet. It appears here once the recording has been transcribed."
          : "No speech found in this recording."}
      </p>
    )
  return (
    <>
      <TranscriptBar find={find} hidesFillers={hidesFillers} onHideFillers={setHidesFillers} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the time of each paragraph is a button with the same effect */}
      <section
        ref={container}
        aria-label="Transcript"
        data-playing={isPlaying ? "" : undefined}
        onClick={onClick}
        className="transcript mx-auto max-w-[47rem] pb-24 [overflow-anchor:none]"
      >
        <div ref={list}>
          <div ref={virtual.containerRef} className="relative">
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index]!
              return (
                <div
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  className="absolute inset-x-0 [contain:layout_style]"
                >
                  {row.kind === "topic" ? (
                    <TopicHeading topic={row.topic} />
                  ) : draftRows.has(item.index) ? (
                    draftRows
                      .get(item.index)!
                      .map((draft) => (
                        <CorrectionForm key={draft.words[0]!.start} draft={draft} onClose={() => close(draft)} />
                      ))
                  ) : (
                    <Paragraph
                      paragraph={row.paragraph}
                      words={words}
                      speakers={speakersById}
                      isNewTurn={isNewTurn(rows, item.index)}
                      matches={find.getMatchesIn(row.paragraph)}
                      currentMatchWord={find.currentWord}
                      highlights={highlightsOf(row.paragraph)}
                      isSpoken={item.index === spokenRow}
                      hidesFillers={hidesFillers}
                      onSeek={seek}
                      onCorrect={onCorrect}
                    />
                  )}
                </div>
              )
            })}
          </div>
        </div>
      </section>
      <SelectionToolbar container={container} words={words}>
        {(range, close) => <SelectionNotes range={range} onDone={close} />}
      </SelectionToolbar>
      <FollowButton reveal={reveal} />
    </>
  )
}

/** Returns true if a paragraph shows its speaker's name: after another speaker or after a topic heading. */
const isNewTurn = (rows: readonly Row[], index: number): boolean => {
  const [row, before] = [rows[index]!, rows[index - 1]]
  return (
    row.kind === "paragraph" && (before?.kind !== "paragraph" || before.paragraph.speaker !== row.paragraph.speaker)
  )
}
