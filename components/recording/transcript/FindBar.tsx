"use client"
import { FindField } from "../../ui/FindField.tsx"
import { isTyping } from "../../ui/is-typing.ts"
import type { Find } from "./use-find.ts"

const isFindKey = (event: KeyboardEvent): boolean =>
  event.key === "/" && !isTyping(event) && !event.ctrlKey && !event.metaKey && !event.altKey

const describe = ({ matches, currentIndex }: Find): string =>
  matches.length === 0 ? "No matches" : `${currentIndex + 1} of ${matches.length.toLocaleString("en")}`

/** Searches the transcript. `/` focuses the field. */
export const FindBar = ({ find }: { find: Find }) => {
  const hasQuery = find.query.trim() !== ""
  return (
    <FindField
      label="Search in this recording"
      value={find.query}
      onChange={find.setQuery}
      onStep={find.step}
      isFindKey={isFindKey}
      keyShortcuts="/"
      status={hasQuery ? describe(find) : ""}
      hasMatches={hasQuery && find.matches.length > 0}
    />
  )
}
