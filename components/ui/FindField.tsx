"use client"
import { useEffect, useRef } from "react"
import { MAX_SEARCH_CHARS } from "#lib/domain/constants.ts"
import { IconButton } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

type FindFieldProps = {
  /** What is searched. It is the accessible name and the placeholder. */
  label: string
  value: string
  onChange: (value: string) => void
  /** Goes to the next match, or to the previous one. */
  onStep: (direction: 1 | -1) => void
  /** Returns true for the keys that focus the field. */
  isFindKey: (event: KeyboardEvent) => boolean
  keyShortcuts: string
  /** Which match is shown of how many. */
  status: string
  hasMatches: boolean
}

/** A field that finds a text on the page. Enter goes to the next match, Shift+Enter to the previous one, Escape clears it. */
export const FindField = (p: FindFieldProps) => {
  const { label, value, onChange, onStep, isFindKey, keyShortcuts, status, hasMatches } = p
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (!isFindKey(event) || document.activeElement === input.current) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    window.addEventListener("keydown", focus)
    return () => window.removeEventListener("keydown", focus)
  }, [isFindKey])
  return (
    <search className="flex h-11 min-w-0 flex-1 items-center gap-1">
      <Icon name="search" size={16} className="shrink-0 text-muted" />
      <input
        ref={input}
        value={value}
        onChange={(event) => onChange(event.target.value.slice(0, MAX_SEARCH_CHARS))}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1)
          else if (event.key === "Escape") {
            onChange("")
            input.current?.blur()
          } else return
          event.preventDefault()
        }}
        aria-label={label}
        aria-keyshortcuts={keyShortcuts}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        className="h-9 min-w-0 flex-1 rounded-sm bg-transparent px-1.5 text-sm outline-offset-[-2px] placeholder:text-muted"
      />
      <p role="status" className="numeric px-1 text-xs text-muted">
        {status}
      </p>
      {hasMatches && (
        <>
          <IconButton
            name="down"
            label="Previous match"
            onClick={() => onStep(-1)}
            className="rotate-180 max-sm:size-11"
          />
          <IconButton name="down" label="Next match" onClick={() => onStep(1)} className="max-sm:size-11" />
        </>
      )}
    </search>
  )
}
