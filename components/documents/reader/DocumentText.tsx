"use client"
import { useCallback, useEffect, useState } from "react"
import type { DocumentContent, OutlineEntry } from "#lib/domain/document-content.ts"
import type { DocumentEntry } from "#lib/domain/documents.ts"
import { partitionPoint } from "#lib/domain/partition-point.ts"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { readPassage } from "../document-address.ts"
import { FindBar } from "./FindBar.tsx"
import { FoldedOutline, Outline } from "./Outline.tsx"
import { PortionView } from "./PortionView.tsx"
import { type Match, useFind } from "./use-find.ts"
import { useScrollTarget } from "./use-scroll-target.ts"

/** Returns the number of the chunk that the address names, as it changes. */
const useAddressedPassage = (): number | null => {
  const [passage, setPassage] = useState<number | null>(null)
  useEffect(() => {
    const read = () => setPassage(readPassage(window.location.hash))
    read()
    window.addEventListener("hashchange", read)
    return () => window.removeEventListener("hashchange", read)
  }, [])
  return passage
}

const PdfPages = lazyWithRetry(() => import("../pdf/PdfPages.tsx").then((m) => m.PdfPages))

const NO_MATCHES: readonly Match[] = []
type View = "pages" | "text"

type DocumentTextProps = { document: DocumentEntry; content: DocumentContent }

/** The text of a document with its outline and search. It is loaded as it is scrolled. */
export const DocumentText = ({ document, content }: DocumentTextProps) => {
  const { portions } = content
  const canShowPages = document.format === "pdf" && document.state !== "gone"
  const [view, setView] = useState<View>(canShowPages ? "pages" : "text")
  const [bookmarks, setBookmarks] = useState<readonly OutlineEntry[]>([])
  const [hasFailed, setFailed] = useState(false)
  const outline = view === "pages" ? bookmarks : content.outline
  const [first] = outline
  const hasTitle = view === "text" && first?.portion === 0 && first.block === 0 && first.text === document.title
  const passage = useAddressedPassage()
  const { target, setTarget, onShown } = useScrollTarget()
  // While pages are shown, they take the places of the portions.
  const placeOf = useCallback(
    (portion: number) => (view === "pages" ? (portions[portion]?.page ?? 1) - 1 : portion),
    [view, portions],
  )
  useEffect(() => {
    if (passage === null || portions.length === 0) return
    const portion = Math.max(0, partitionPoint(portions.length, (i) => portions[i]!.first_chunk <= passage) - 1)
    const selectors = ["[data-passage]", `#passage-${passage}`]
    setTarget({ portion: placeOf(portion), selectors, align: "center" })
  }, [passage, portions, setTarget, placeOf])
  const showMatch = useCallback(
    ({ portion }: Match) => setTarget({ portion: placeOf(portion), selectors: ["[data-now]"], align: "center" }),
    [setTarget, placeOf],
  )
  const showText = useCallback(() => {
    setFailed(true)
    setView("text")
  }, [])
  const find = useFind(document.id, showMatch)
  const openHeading = ({ portion, block }: OutlineEntry) =>
    setTarget({ portion, selectors: [`[data-block="${portion}-${block}"]`], align: "start" })
  return (
    <div className="grid grid-cols-1 gap-x-10 lg:grid-cols-[16rem_minmax(0,44rem)] xl:grid-cols-[18rem_minmax(0,46rem)] xl:gap-x-16">
      {outline.length > 1 ? (
        <>
          <nav aria-label="Outline" className="sticky top-4 self-start max-lg:hidden">
            <Outline outline={outline} onOpen={openHeading} />
          </nav>
          <FoldedOutline outline={outline} onOpen={openHeading} />
        </>
      ) : (
        <div className="max-lg:hidden" />
      )}
      <div className="min-w-0">
        <div className="sticky top-(--sticky-top) z-20 -mx-1 mb-3 bg-paper pt-2 pb-1">
          <div className="flex items-center gap-2 rounded-lg border border-line bg-surface px-3">
            <FindBar find={find} />
            {canShowPages && (
              <Segmented
                label="Show"
                value={view}
                onChange={setView}
                options={[
                  { value: "pages", label: "Pages" },
                  { value: "text", label: "Text" },
                ]}
              />
            )}
          </div>
        </div>
        {hasFailed && view === "text" && (
          <div className="mb-3">
            <Notice tone="plain">
              The pages can't be shown here. This is their text. “Open file” shows the file itself.
            </Notice>
          </div>
        )}
        <article data-document-text="" aria-label="Text" className="grid grid-cols-1 gap-3 text-lg leading-[1.7]">
          {view === "pages" ? (
            <PdfPages
              id={document.id}
              content={content}
              passage={passage}
              matches={find.byPortion}
              now={find.current}
              wanted={target?.portion ?? null}
              onOutline={setBookmarks}
              onShown={onShown}
              onFail={showText}
            />
          ) : (
            portions.map((entry, portion) => (
              <PortionView
                // biome-ignore lint/suspicious/noArrayIndexKey: the portions of a document never move
                key={portion}
                id={document.id}
                portion={portion}
                entry={entry}
                isWanted={target?.portion === portion}
                passage={passage}
                matches={find.byPortion.get(portion) ?? NO_MATCHES}
                now={find.current?.portion === portion ? find.current : null}
                hasTitle={hasTitle}
                onShown={onShown}
              />
            ))
          )}
        </article>
      </div>
    </div>
  )
}
