"use client"
import { errorMessage } from "../../api/client.ts"
import { FindField } from "../../ui/FindField.tsx"
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
 * Finds a text in the whole document, of which the browser has only the part that is shown. Ctrl+F or `/` focuses the field;
 * Ctrl+F in the field opens the browser's own search.
 */
export const FindBar = ({ find }: { find: Find }) => (
  <FindField
    label="Find in this document"
    value={find.query}
    onChange={find.setQuery}
    onStep={find.step}
    isFindKey={isFindKey}
    keyShortcuts="/ Control+F Meta+F"
    status={describe(find)}
    hasMatches={find.matches.length > 0}
  />
)
