"use client"
import type { SearchAnswer } from "#lib/domain/search.ts"
import { getRecordingHref } from "../../search/use-library-search.ts"
import { formatClock } from "../../ui/format.ts"
import type { IconName } from "../../ui/Icon.tsx"
import { NAV_ITEMS } from "../navigation.ts"

export type PaletteItem = {
  readonly key: string
  readonly group: string
  readonly icon: IconName
  readonly text: string
  readonly marks: readonly (readonly [number, number])[]
  readonly hint?: string
  readonly href: string
}

const STATIC_ITEMS: readonly PaletteItem[] = [
  ...NAV_ITEMS.map(({ href, label, icon }) => ({ key: href, group: "Go to", icon, text: label, marks: [], href })),
  { key: "add", group: "Go to", icon: "plus", text: "Add recording", marks: [], href: "/#add" },
  { key: "docs", group: "Go to", icon: "book", text: "HTTP API", marks: [], href: "/docs" },
]

/** Returns the pages whose names match the query, then the search results, then an item that asks the query. */
export const buildPaletteItems = (query: string, found: SearchAnswer | undefined): PaletteItem[] => {
  const needle = query.trim().toLowerCase()
  const pages = STATIC_ITEMS.filter(({ text }) => text.toLowerCase().includes(needle))
  if (!needle) return pages
  const ask: PaletteItem = {
    key: "ask",
    group: "Ask",
    icon: "chat",
    text: `Ask: ${query.trim()}`,
    marks: [],
    href: `/ask?q=${encodeURIComponent(query.trim())}`,
  }
  return [
    ...pages,
    ...(found?.titles ?? []).map(
      ({ clip_id, text, marks }): PaletteItem => ({
        key: `title ${clip_id}`,
        group: "Recordings",
        icon: "wave",
        text,
        marks,
        href: getRecordingHref(clip_id),
      }),
    ),
    ...(found?.topics ?? []).map(
      ({ clip_id, clip_title, number, title, text, marks, start_s }): PaletteItem => ({
        key: `topic ${clip_id} ${number}`,
        group: "Topics",
        icon: "list",
        ...(text === title ? { text, marks } : { text: title, marks: [] }),
        hint: `${clip_title} · ${formatClock(start_s)}`,
        href: getRecordingHref(clip_id, start_s),
      }),
    ),
    ...(found?.words ?? []).map(
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
    ask,
  ]
}
