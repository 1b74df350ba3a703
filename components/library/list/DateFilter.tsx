"use client"
import { useState } from "react"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { MenuItem, MenuSeparator } from "../../ui/Menu.tsx"
import { FilterChip } from "./FilterChip.tsx"
import type { LibraryParams } from "./library-params.ts"

const DateRangeDialog = lazyWithRetry(() => import("./DateRangeDialog.tsx").then((m) => m.DateRangeDialog), {
  overlay: true,
  onDismiss: (p) => p.onClose(),
})

const DAY_MS = 86_400_000

/** Returns a date such as `2026-11-23` in the local time. */
const toDate = (time: number): string => {
  const day = new Date(time)
  const two = (n: number) => String(n).padStart(2, "0")
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

const PRESETS = { "Last 7 days": 6, "Last 30 days": 29, "Last 12 months": 364 } as const

const formatDay = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString("en", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  })

const describeRange = ({ from, to }: LibraryParams): string | undefined => {
  if (from && to) return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`
  if (from) return `Since ${formatDay(from)}`
  return to ? `Until ${formatDay(to)}` : undefined
}

type DateFilterProps = {
  params: LibraryParams
  onChange: (changes: LibraryParams) => void
  onClear: () => void
}

/** The filter by the day on which a recording was added. */
export const DateFilter = ({ params, onChange, onClear }: DateFilterProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <FilterChip label="Date" icon="time" value={describeRange(params)} onClear={onClear}>
        {Object.entries(PRESETS).map(([label, days]) => (
          <MenuItem key={label} onSelect={() => onChange({ from: toDate(Date.now() - days * DAY_MS) })}>
            {label}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => setOpen(true)}>From … to …</MenuItem>
      </FilterChip>
      {isOpen && <DateRangeDialog params={params} onSave={onChange} onClose={() => setOpen(false)} />}
    </>
  )
}
