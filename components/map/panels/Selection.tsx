"use client"
import { useEffect, useMemo, useRef } from "react"
import { togglePlayback, usePlayer } from "../../recording/player/player.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { formatCount } from "../../ui/format.ts"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { listen, useQueue } from "../state/audition.ts"
import type { MapModel } from "../state/model.ts"
import { save } from "../state/save.ts"
import { choose, toggleChosen, useMap } from "../state/store.ts"
import { TopicButton } from "./TopicButton.tsx"
import { evenTops, useWindow } from "./use-window.ts"

const ListenToAll = lazyWithRetry(() => import("./AuditionButton.tsx").then((m) => m.ListenToAll))

const ROW_PX = 48

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** The gathered topics as a table for spreadsheets. A cell that a spreadsheet would compute is kept a text. */
export const tableOf = (model: MapModel, chosen: readonly number[]): string =>
  [
    ["recording", "number", "title", "start_s", "duration_s", "summary"],
    ...chosen.map((i) => {
      const p = model.points[i]!
      const texts = [p.clip_title, p.number, p.topic_title, String(p.start_s), String(p.duration_s), p.summary]
      return texts.map((text) => (/^[=+\-@\t]/.test(text) ? `'${text}` : text))
    }),
  ]
    .map((row) => row.map(quoted).join(","))
    .join("\r\n")

const stretchesOf = (model: MapModel, chosen: readonly number[]) =>
  chosen.map((point) => {
    const { clip_id: clip, start_s: from, duration_s } = model.points[point]!
    return { clip, from, to: from + duration_s }
  })

/** What the reader has gathered: a list, and what can be done with it as a whole. */
export const Selection = ({ model }: { model: MapModel }) => {
  const chosen = useMap((s) => s.chosen) ?? []
  const now = useQueue((s) => s.now)
  const playing = usePlayer((s) => s.isPlaying) && now !== null
  useEffect(() => () => listen([]), [])
  const box = useRef<HTMLDivElement>(null)
  const tops = useMemo(() => evenTops(chosen.length, ROW_PX), [chosen.length])
  const { from, to } = useWindow(box, tops)
  const clips = new Set(chosen.map((i) => model.groupOf.clip[i])).size
  return (
    <aside
      aria-label="Gathered topics"
      className="panel absolute inset-x-2 bottom-17 z-30 flex max-h-[54dvh] animate-sheet flex-col pb-[env(safe-area-inset-bottom)] md:inset-x-auto md:top-3 md:right-3 md:bottom-3 md:max-h-none md:w-92 md:animate-slide"
    >
      <div className="flex items-center justify-between py-1.5 pr-1.5 pl-5">
        <h2 className="numeric text-sm font-[600]" aria-live="polite">
          {formatCount(chosen.length, "topic")} of {formatCount(clips, "recording")}
        </h2>
        <IconButton name="close" label="Let go of them" onClick={() => choose(null)} />
      </div>
      <div className="flex flex-wrap gap-2 px-5 pb-3">
        <Button
          variant="primary"
          icon={playing ? "pause" : "play"}
          onClick={() => (now ? togglePlayback() : listen(stretchesOf(model, chosen)))}
        >
          {playing ? "Pause" : now ? "Go on" : "Play all"}
        </Button>
        <Button
          icon="save"
          onClick={() => save(new Blob(["\uFEFF", tableOf(model, chosen)], { type: "text/csv" }), "topics.csv")}
        >
          CSV
        </Button>
        <Button
          icon="save"
          onClick={() => {
            const topics = chosen.map((i) => model.points[i]!)
            save(new Blob([JSON.stringify(topics, null, 2)], { type: "application/json" }), "topics.json")
          }}
        >
          JSON
        </Button>
      </div>
      {now && (
        <div className="border-t border-line px-5 py-3">
          <ListenToAll now={now} />
        </div>
      )}
      <div ref={box} className="min-h-0 flex-1 overflow-y-auto border-t border-line px-3 py-1">
        <ul className="relative" style={{ height: chosen.length * ROW_PX }}>
          {chosen.slice(from, to).map((index, i) => {
            const p = model.points[index]!
            return (
              <li
                key={index}
                className="absolute inset-x-0 flex items-center"
                style={{ transform: `translateY(${(from + i) * ROW_PX}px)`, height: ROW_PX }}
              >
                <TopicButton model={model} index={index} className="h-full flex-1" />
                <IconButton name="close" label={`Take ${p.topic_title} out`} onClick={() => toggleChosen(index)} />
              </li>
            )
          })}
        </ul>
      </div>
    </aside>
  )
}
