"use client"
import { MAX_SEARCH_CHARS } from "#lib/domain/constants.ts"
import { Icon } from "./Icon.tsx"

type SearchFieldProps = {
  /** What is searched. It is the accessible name and the placeholder. */
  label: string
  value: string
  onChange: (value: string) => void
}

/** A field that searches the list below it, and fills its row. */
export const SearchField = ({ label, value, onChange }: SearchFieldProps) => (
  <search className="relative flex min-w-0 flex-1 basis-60 items-center">
    <Icon name="search" size={17} className="pointer-events-none absolute left-3 text-muted" />
    <input
      type="search"
      value={value}
      onChange={(event) => onChange(event.target.value.slice(0, MAX_SEARCH_CHARS))}
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="search"
      className="h-9 w-full rounded-full border border-line bg-surface pr-4 pl-9.5 text-sm placeholder:text-muted hover:border-line-strong max-sm:h-11"
    />
  </search>
)
