"use client"
import { useEffect, useRef } from "react"
import { errorMessage } from "../../api/client.ts"
import { IconButton } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { isTyping } from "../../ui/is-typing.ts"
import type { Find } from "./use-find.ts"

const describe = ({ query, isSearching, error, matches, total, index, current }: Find): string => {
  if (query.trim() === "" || isSearching) return ""
  if (error) return errorMessage(error)
  if (matches.length === 0) return "No matches"
  const count = total > matches.length ? `first ${matches.length.toLocaleString("en")}` : total.toLocaleString("en")
  return current ? `${(index + 1).toLocaleString("en")} of ${count}` : `${total.toLocaleString("en")} found`
}

/** Returns true for Ctrl+F and Command+F, and for `/` outside a field. */
const isFindKey = (event: KeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey
    ? event.key === "f" && !event.shiftKey && !event.altKey
    : event.key === "/" && !isTyping(event)

/**
 * Finds a text in the whole document, of which the browser has only the part that is shown. Its keys are those of the browser:
 * Ctrl+F or `/` focuses the field, Enter goes to the next match, Shift+Enter to the previous one. Ctrl+F in the field opens
 * the browser's own search.
 */
export const FindBar = ({ find }: { find: Find }) => {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (!isFindKey(event) || document.activeElement === input.current) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    window.addEventListener("keydown", key)
    return () => window.removeEventListener("keydown", key)
  }, [])
  return (
    <search className="flex h-11 min-w-0 flex-1 items-center gap-1">
      <Icon name="search" size={16} className="shrink-0 text-muted" />
      <input
        ref={input}
        value={find.query}
        onChange={(event) => find.setQuery(event.target.value.slice(0, 200))}
        onKeyDown={(event) => {
          if (event.key === "Enter") find.step(event.shiftKey ? -1 : 1)
          else if (event.key === "Escape") {
            find.setQuery("")
            input.current?.blur()
          } else return
          event.preventDefault()
          event.stopPropagation()
        }}
        aria-label="Find in this document"
        aria-keyshortcuts="/ Control+F Meta+F"
        placeholder="Find in this document"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        className="h-9 min-w-0 flex-1 rounded-sm bg-transparent px-1.5 text-sm outline-offset-[-2px] placeholder:text-muted"
      />
      <p role="status" className="numeric px-1 text-xs text-muted">
        {describe(find)}
      </p>
      {find.matches.length > 0 && (
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
