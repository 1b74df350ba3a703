"use client"
import { useEffect, useMemo, useRef } from "react"
import { togglePlayback, usePlayer } from "../../recording/player/player.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { formatCount } from "../../ui/format.ts"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import type { MapModel } from "../state/model.ts"
import { type ClipRange, playAll, usePlaybackQueue } from "../state/playback-queue.ts"
import { saveFile } from "../state/snapshot.ts"
import { setCollected, toggleCollected, useMap } from "../state/store.ts"
import { SidePanel } from "./SidePanel.tsx"
import { TopicButton } from "./TopicButton.tsx"
import { uniformOffsets, useVisibleRows } from "./use-visible-rows.ts"

const QueuePlayback = lazyWithRetry(() => import("./TopicPlayback.tsx").then((m) => m.QueuePlayback))

const ROW_PX = 48

const quoteCell = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** Formats topics as CSV. Prefixes cells that a spreadsheet would evaluate as a formula with an apostrophe. */
const formatCsv = (model: MapModel, indices: readonly number[]): string =>
  [
    ["recording", "number", "title", "start_s", "duration_s", "summary"],
    ...indices.map((i) => {
      const p = model.points[i]!
      const cells = [p.clip_title, p.number, p.topic_title, String(p.start_s), String(p.duration_s), p.summary]
      return cells.map((text) => (/^[=+\-@\t]/.test(text) ? `'${text}` : text))
    }),
  ]
    .map((row) => row.map(quoteCell).join(","))
    .join("\r\n")

const listRanges = (model: MapModel, indices: readonly number[]): ClipRange[] =>
  indices.map((point) => {
    const { clip_id: clip, start_s: from, duration_s } = model.points[point]!
    return { clip, from, to: from + duration_s }
  })

/** Lists the collected topics and offers to play or export them. */
export const Collection = ({ model }: { model: MapModel }) => {
  const collected = useMap((s) => s.collected) ?? []
  const now = usePlaybackQueue((s) => s.now)
  const isPlaying = usePlayer((s) => s.isPlaying) && now !== null
  useEffect(() => () => playAll([]), [])
  const box = useRef<HTMLDivElement>(null)
  const offsets = useMemo(() => uniformOffsets(collected.length, ROW_PX), [collected.length])
  const { from, to } = useVisibleRows(box, offsets)
  const clips = new Set(collected.map((i) => model.groupings.clip.ids[i])).size
  return (
    <SidePanel
      label="Collected topics"
      header={
        <h2 className="numeric text-sm font-[600]" aria-live="polite">
          {formatCount(collected.length, "topic")} from {formatCount(clips, "recording")}
        </h2>
      }
      closeLabel="Clear collection"
      onClose={() => setCollected(null)}
    >
      <div className="flex flex-wrap gap-2 px-5 pb-3">
        <Button
          variant="primary"
          icon={isPlaying ? "pause" : "play"}
          onClick={() => (now ? togglePlayback() : playAll(listRanges(model, collected)))}
        >
          {isPlaying ? "Pause" : now ? "Resume" : "Play all"}
        </Button>
        <Button
          icon="save"
          // The byte order mark makes Excel read the file as UTF-8.
          onClick={() =>
            saveFile(new Blob(["\uFEFF", formatCsv(model, collected)], { type: "text/csv" }), "topics.csv")
          }
        >
          CSV
        </Button>
        <Button
          icon="save"
          onClick={() => {
            const topics = collected.map((i) => model.points[i]!)
            saveFile(new Blob([JSON.stringify(topics, null, 2)], { type: "application/json" }), "topics.json")
          }}
        >
          JSON
        </Button>
      </div>
      {now && (
        <div className="border-t border-line px-5 py-3">
          <QueuePlayback now={now} />
        </div>
      )}
      <div ref={box} className="min-h-0 flex-1 overflow-y-auto border-t border-line px-3 py-1">
        <ul className="relative" style={{ height: collected.length * ROW_PX }}>
          {collected.slice(from, to).map((index, i) => (
            <li
              key={index}
              className="absolute inset-x-0 flex items-center"
              style={{ transform: `translateY(${(from + i) * ROW_PX}px)`, height: ROW_PX }}
            >
              <TopicButton model={model} index={index} className="h-full flex-1" />
              <IconButton
                name="close"
                label={`Remove ${model.points[index]!.topic_title}`}
                onClick={() => toggleCollected(index)}
              />
            </li>
          ))}
        </ul>
      </div>
    </SidePanel>
  )
}
