"use client"
import type { SearchAnswer } from "#lib/domain/search.ts"
import { getRecordingHref } from "../../search/use-library-search.ts"
import { formatClock } from "../../ui/format.ts"
import { regionColor } from "../../ui/hues.ts"
import type { IconName } from "../../ui/Icon.tsx"
import { NAV_ITEMS } from "../navigation.ts"
import type { RecentRecording } from "./recent-recordings.ts"

export type PaletteItem = {
  readonly key: string
  readonly group: string
  readonly icon: IconName
  readonly text: string
  readonly marks: readonly (readonly [number, number])[]
  readonly hint?: string
  /** The color of the topic's region on the map. */
  readonly color?: string
} & ({ readonly href: string; readonly isDownload?: boolean } | { readonly run: () => void })

const PAGES: readonly PaletteItem[] = [
  ...NAV_ITEMS.map(({ href, label, icon }) => ({ key: href, group: "Go to", icon, text: label, marks: [], href })),
  {
    key: "notes",
    group: "Go to",
    icon: "note",
    text: "Highlights and notes",
    marks: [],
    href: "/library/notes",
  },
  { key: "people", group: "Go to", icon: "people", text: "People", marks: [], href: "/library/people" },
  { key: "documents", group: "Go to", icon: "file", text: "Documents", marks: [], href: "/documents" },
  { key: "docs", group: "Go to", icon: "book", text: "HTTP API", marks: [], href: "/docs" },
]

/** An action of the palette. */
export type PaletteAction = Pick<PaletteItem, "icon" | "text" | "hint"> &
  ({ readonly href: string; readonly isDownload?: boolean } | { readonly run: () => void })

const toAction = (action: PaletteAction): PaletteItem => ({
  ...action,
  key: `action ${action.text}`,
  group: "Actions",
  marks: [],
})

const toRecent = ({ id, title }: RecentRecording): PaletteItem => ({
  key: `recent ${id}`,
  group: "Recent",
  icon: "wave",
  text: title,
  marks: [],
  href: getRecordingHref(id),
})

/** Leaves out topics that have the same title in the same recording: the first in time stands for them. */
const dropRepeatedTopics = (topics: SearchAnswer["topics"]): SearchAnswer["topics"] => {
  const seen = new Set<string>()
  return topics.filter(({ clip_id, title }) => {
    const key = `${clip_id} ${title.toLowerCase()}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

const toResults = ({ titles, topics, words, notes }: SearchAnswer): PaletteItem[] => [
  ...titles.map(
    ({ clip_id, text, marks }): PaletteItem => ({
      key: `title ${clip_id}`,
      group: "Recordings",
      icon: "wave",
      text,
      marks,
      href: getRecordingHref(clip_id),
    }),
  ),
  ...dropRepeatedTopics(topics).map(
    ({ clip_id, clip_title, number, title, text, marks, start_s, region }): PaletteItem => ({
      key: `topic ${clip_id} ${number}`,
      group: "Topics",
      icon: "list",
      ...(text === title ? { text, marks } : { text: title, marks: [] }),
      hint: `${clip_title} · ${formatClock(start_s)}`,
      color: regionColor(region),
      href: getRecordingHref(clip_id, start_s),
    }),
  ),
  ...words.map(
    ({ clip_id, clip_title, text, marks, start_s }, i): PaletteItem => ({
      key: `words ${clip_id} ${start_s} ${i}`,
      group: "Transcripts",
      icon: "chat",
      text,
      marks,
      hint: `${clip_title} · ${formatClock(start_s)}`,
      href: getRecordingHref(clip_id, start_s),
    }),
  ),
  ...notes.map(
    ({ id, clip_id, clip_title, text, marks, start_s }): PaletteItem => ({
      key: `note ${id}`,
      group: "Notes",
      icon: "note",
      text,
      marks,
      hint: clip_title ?? "Library",
      href:
        clip_id === null
          ? `/library/notes?q=${encodeURIComponent(text.slice(0, 60))}`
          : getRecordingHref(clip_id, start_s ?? undefined),
    }),
  ),
]

type PaletteInput = {
  readonly query: string
  readonly found: SearchAnswer | undefined
  readonly recent: readonly RecentRecording[]
  readonly actions: readonly PaletteAction[]
}

/**
 * Returns what the palette offers. Without a query: recent recordings, pages and actions. With one: the pages and actions
 * whose names match, what the search finds, and an item that asks the query.
 */
export const buildPaletteItems = ({ query, found, recent, actions }: PaletteInput): PaletteItem[] => {
  const needle = query.trim().toLowerCase()
  const fixed = [...PAGES, ...actions.map(toAction)]
  if (!needle) return [...recent.map(toRecent), ...fixed]
  return [
    ...fixed.filter(({ text }) => text.toLowerCase().includes(needle)),
    ...(found ? toResults(found) : []),
    {
      key: "ask",
      group: "Ask",
      icon: "chat",
      text: `Ask “${query.trim()}”`,
      marks: [],
      href: `/ask?q=${encodeURIComponent(query.trim())}`,
    },
  ]
}
