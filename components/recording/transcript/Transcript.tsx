"use client"
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual"
import { type MouseEvent, useCallback, useMemo, useRef, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { hueStyle } from "../../ui/hues.ts"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { getCurrentTime, seek, usePlayer } from "../player/player.ts"
import { useRecording } from "../recording-context.ts"
import type { Topic } from "../topics/topic-list.ts"
import { createDraft, type Draft, groupDraftsByRow } from "./correction-drafts.ts"
import { FindBar } from "./FindBar.tsx"
import { Paragraph } from "./Paragraph.tsx"
import type { ParagraphSpan } from "./paragraphs.ts"
import { findIndexAt } from "./paragraphs.ts"
import { buildRows, findRowOfWord, type Row } from "./transcript-rows.ts"
import { useActiveWord } from "./use-active-word.ts"
import { useFind } from "./use-find.ts"

const CorrectionForm = lazyWithRetry(() => import("./CorrectionForm.tsx").then((m) => m.CorrectionForm), {
  onDismiss: (p) => p.onClose(),
})

const LINE_PX = 26
const LINE_CHARACTERS = 88

/** About how tall a row will be, until it is measured. */
const estimateHeight = (row: Row): number =>
  row.kind === "topic"
    ? 64
    : 40 + LINE_PX * Math.ceil(((row.paragraph.end - row.paragraph.first) * 5.6) / LINE_CHARACTERS)

/**
 * How tall a row is, by what the browser has laid out anyway: asking for it while rows come in makes it lay out the page
 * once more for each of them. What is not laid out yet is guessed; the observer tells before it is painted.
 */
const measureHeight = (
  element: Element,
  entry: ResizeObserverEntry | undefined,
  virtual: Virtualizer<HTMLDivElement, Element>,
) => {
  const height = entry?.borderBoxSize[0]?.blockSize
  if (height !== undefined) return Math.round(height)
  const index = virtual.indexFromElement(element)
  return virtual.itemSizeCache.get(virtual.options.getItemKey(index)) ?? virtual.options.estimateSize(index)
}

const TopicHeading = ({ topic }: { topic: Topic }) => (
  <div style={hueStyle(topic.group)} className="flex items-baseline gap-3 px-2 pt-6 pb-1 sm:px-3">
    <span aria-hidden="true" className="h-3 w-1 shrink-0 self-center rounded-full bg-tint" />
    <h3 className="min-w-0 flex-1 truncate text-lg font-[620]">
      <bdi>{topic.node.title}</bdi>
    </h3>
    <span className="numeric text-xs text-muted">{formatClock(topic.node.start_s)}</span>
  </div>
)

/**
 * The transcript: only what is in sight is in the page, so that six hours scroll as smoothly as six minutes. The word
 * that is spoken lights up without a render.
 */
export const Transcript = ({ topics }: { topics: readonly Topic[] }) => {
  const { clip, speakers } = useRecording()
  const words = clip.transcription
  const box = useRef<HTMLDivElement>(null)
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  const rows = useMemo(() => buildRows(words, topics), [words, topics])
  const voiceOf = useMemo(() => new Map(speakers.map((v) => [v.id, v])), [speakers])
  // The same for as long as the rows are: with another function all rows would be laid end to end anew at each step.
  const keyOf = useMemo(() => {
    const keys = rows.map((row, i) => `${row.kind}${row.start_s}-${i}`)
    return (i: number) => keys[i]!
  }, [rows])
  const sizeOf = useCallback((i: number) => estimateHeight(rows[i]!), [rows])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: sizeOf,
    getItemKey: keyOf,
    measureElement: measureHeight,
    // Places are written past React, which renders when other rows come into sight, and then with the next frame.
    directDomUpdates: true,
    directDomUpdatesMode: "position",
    useFlushSync: false,
    overscan: 3,
    paddingEnd: 96,
  })
  const reveal = useCallback(
    (time: number) => {
      // Before the first word stands the beginning.
      virtual.scrollToIndex(Math.max(0, findIndexAt(rows, time)), { align: "center" })
    },
    [rows, virtual],
  )
  const follow = usePlayer((s) => s.isFollowing)
  const rowOf = useCallback((word: number) => findRowOfWord(rows, word), [rows])
  const spokenRow = useActiveWord(box, words, rows, virtual.range, reveal, rowOf)
  const find = useFind(words, reveal)

  const written = useMemo(() => groupDraftsByRow(drafts, rows, words), [drafts, rows, words])
  const stopFollowing = () => usePlayer.getState().isFollowing && usePlayer.setState({ isFollowing: false })
  const onClick = (event: MouseEvent) => {
    // Its words may have become elements between the press and its end: the event is the paragraph's then.
    const under = document.elementFromPoint(event.clientX, event.clientY) ?? (event.target as HTMLElement)
    const n = under.closest<HTMLElement>("[data-w]")?.dataset.w
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
      <p className="px-3 py-6 text-sm text-muted">
        {clip.speech_engine === null && clip.provider === null
          ? "There are no words yet. They appear here as soon as somebody has listened to the recording."
          : "Nobody speaks in this recording."}
      </p>
    )
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <FindBar find={find} />
      <div className="relative min-h-0 flex-1">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: every paragraph's time is a button that does the same */}
        <section
          ref={box}
          aria-label="Transcript"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          tabIndex={0}
          onClick={onClick}
          onWheel={stopFollowing}
          onTouchMove={stopFollowing}
          className="absolute inset-0 overflow-y-auto overscroll-contain outline-offset-[-2px] [overflow-anchor:none]"
        >
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
                  ) : written.has(item.index) ? (
                    written
                      .get(item.index)!
                      .map((draft) => (
                        <CorrectionForm key={draft.words[0]!.start} draft={draft} onClose={() => close(draft)} />
                      ))
                  ) : (
                    <Paragraph
                      paragraph={row.paragraph}
                      words={words}
                      speaker={voiceOf.get(row.paragraph.speaker)}
                      isNewTurn={isNewTurn(rows, item.index)}
                      matches={find.getMatchesIn(row.paragraph)}
                      currentMatchWord={find.currentWord}
                      isSpoken={item.index === spokenRow}
                      onSeek={seek}
                      onCorrect={onCorrect}
                    />
                  )}
                </div>
              )
            })}
          </div>
        </section>
        <Button
          icon="down"
          onClick={() => {
            usePlayer.setState({ isFollowing: true })
            reveal(getCurrentTime())
          }}
          className={cx(
            // Above, because messages appear below.
            "absolute top-3 left-1/2 -translate-x-1/2 shadow-float transition",
            follow && "pointer-events-none invisible opacity-0",
          )}
        >
          Back to what is spoken
        </Button>
      </div>
    </div>
  )
}

/** Whether a paragraph begins with its speaker's name: after another speaker, and after a title. */
const isNewTurn = (rows: readonly Row[], index: number): boolean => {
  const [row, before] = [rows[index]!, rows[index - 1]]
  return (
    row.kind === "paragraph" && (before?.kind !== "paragraph" || before.paragraph.speaker !== row.paragraph.speaker)
  )
}
