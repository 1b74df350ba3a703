"use client"
import { memo, useEffect, useLayoutEffect, useRef, useState } from "react"
import type { ContentPortion, DocumentMatches, PortionEntry } from "#lib/domain/document-content.ts"
import { errorMessage } from "../../api/client.ts"
import { Notice } from "../../ui/Notice.tsx"
import { Blocks, type ShownBlock } from "./Blocks.tsx"
import type { Mark } from "./marked-runs.ts"
import { usePortion } from "./reader-data.ts"

type Match = DocumentMatches["matches"][number]

/** Portions this far above and below the window are loaded. */
const LOAD_MARGIN = "1600px 0px"
/** Used until the height of a portion is known. */
const LINE_CHARACTERS = 80
const LINE_PX = 28
const BLOCK_GAP_PX = 12

const estimateHeight = ({ blocks, characters }: PortionEntry): number =>
  Math.round((characters / LINE_CHARACTERS) * LINE_PX + blocks * (LINE_PX / 2 + BLOCK_GAP_PX))

/** Returns true while an element is in or near the window. */
const useIsNear = (element: { readonly current: HTMLElement | null }): boolean => {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)!.isIntersecting), {
      rootMargin: LOAD_MARGIN,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isNear
}

const toShownBlocks = (
  { blocks, chunks }: ContentPortion,
  firstChunk: number,
  passage: number | null,
  matches: readonly Match[],
  now: Match | null,
): ShownBlock[] => {
  const marks: Mark[][] = blocks.map(() => [])
  const anchors: number[][] = blocks.map(() => [])
  let begun = firstChunk - 1
  for (const { chunk, block, from, to } of chunks) {
    if (chunk === passage && to > from) marks[block]?.push({ from, to, kind: "passage" })
    if (chunk <= begun) continue
    anchors[block]?.push(chunk)
    begun = chunk
  }
  for (const match of matches)
    marks[match.block]?.push({ from: match.from, to: match.to, kind: match === now ? "now" : "match" })
  return blocks.map((block, index) => ({ index, block, marks: marks[index]!, anchors: anchors[index]! }))
}

type PortionViewProps = {
  id: string
  portion: number
  entry: PortionEntry
  /** True if it is shown whether or not it is near the window. */
  isWanted: boolean
  /** The chunk that the address names. */
  passage: number | null
  matches: readonly Match[]
  now: Match | null
  /** True if the first heading of the document is its title, which the page has above. */
  hasTitle: boolean
  onShown: () => void
}

const NO_BLOCKS: ContentPortion = { blocks: [], chunks: [] }

/** A portion of a document. It is loaded when it comes near the window, and takes its place before that. */
export const PortionView = memo(
  ({ id, portion, entry, isWanted, passage, matches, now, hasTitle, onShown }: PortionViewProps) => {
    const section = useRef<HTMLElement>(null)
    const [height, setHeight] = useState(() => estimateHeight(entry))
    const isNear = useIsNear(section) || isWanted
    const { data, isError, error, refetch } = usePortion(id, portion, isNear)
    const isShown = isNear && data !== undefined
    useLayoutEffect(() => {
      if (!isShown) return
      onShown()
      const shown = section.current
      return () => {
        // The place of a portion that is far away keeps the height that it had.
        if (shown) setHeight(shown.getBoundingClientRect().height)
      }
    }, [isShown, onShown])
    const blocks = toShownBlocks(data ?? NO_BLOCKS, entry.first_chunk, passage, matches, now)
    const isTitle = hasTitle && portion === 0
    return (
      <section
        ref={section}
        data-portion={portion}
        aria-label={entry.page === undefined ? undefined : `Page ${entry.page}`}
        aria-busy={isNear && data === undefined && !isError}
        style={isShown || isError ? undefined : { height }}
        className="grid min-w-0 grid-cols-1 content-start gap-3"
      >
        {isError && data === undefined && (
          <Notice onRetry={() => refetch()}>Couldn't load this part. {errorMessage(error)}</Notice>
        )}
        {isShown && (
          <Blocks blocks={isTitle ? blocks.slice(1) : blocks} portion={portion} headingOffset={hasTitle ? 0 : 1} />
        )}
        {!isShown && !isError && isNear && (
          <div aria-hidden="true" className="grid animate-pulse content-start gap-3 overflow-hidden pt-2">
            {["96%", "79%", "62%", "85%", "68%", "91%"].map((width) => (
              <div key={width} className="h-4 rounded-full bg-line" style={{ width }} />
            ))}
          </div>
        )}
      </section>
    )
  },
)
