"use client"
import { useEffect, useRef } from "react"
import { IconButton } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { isTyping } from "../../ui/is-typing.ts"
import type { Find } from "./use-find.ts"

/** Searches the transcript. `/` focuses the field, Enter goes to the next match, Shift+Enter to the previous one. */
export const FindBar = ({ find }: { find: Find }) => {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key !== "/" || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    window.addEventListener("keydown", key)
    return () => window.removeEventListener("keydown", key)
  }, [])
  const hasQuery = find.query.trim() !== ""
  return (
    <search className="flex h-11 min-w-0 flex-1 items-center gap-1">
      <Icon name="search" size={16} className="shrink-0 text-muted" />
      <input
        ref={input}
        value={find.query}
        onChange={(event) => find.setQuery(event.target.value.slice(0, 200))}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === "Enter") find.step(event.shiftKey ? -1 : 1)
          else if (event.key === "Escape") {
            find.setQuery("")
            input.current?.blur()
          } else return
          event.preventDefault()
        }}
        aria-label="Search in this recording"
        placeholder="Search in this recording"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        className="h-9 min-w-0 flex-1 rounded-sm bg-transparent px-1.5 text-sm outline-offset-[-2px] placeholder:text-muted"
      />
      <p role="status" className="numeric px-1 text-xs text-muted">
        {hasQuery &&
          (find.matches.length === 0
            ? "No matches"
            : `${find.currentIndex + 1} of ${find.matches.length.toLocaleString("en")}`)}
      </p>
      {hasQuery && find.matches.length > 0 && (
        <>
          <IconButton
            name="down"
            label="Previous match"
            onClick={() => find.step(-1)}
            className="rotate-180 max-sm:size-11"
          />
          <IconButton name="down" label="Next match" onClick={() => find.step(1)} className="max-sm:size-11" />
        </>
      )}
    </search>
  )
}
