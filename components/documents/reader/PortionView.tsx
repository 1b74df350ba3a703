"use client"
import { memo, useLayoutEffect, useRef, useState } from "react"
import type { ContentPortion, PortionEntry } from "#lib/domain/document-content.ts"
import { errorMessage } from "../../api/client.ts"
import { Notice } from "../../ui/Notice.tsx"
import { Blocks, type ShownBlock } from "./Blocks.tsx"
import { toAnchors, toMarks } from "./chunk-marks.ts"
import { usePortion } from "./reader-data.ts"
import type { Match } from "./use-find.ts"
import { useIsNear } from "./use-is-near.ts"

/** Used until the height of a portion is known. */
const LINE_CHARACTERS = 80
const LINE_PX = 28
const BLOCK_GAP_PX = 12

const estimateHeight = ({ blocks, characters }: PortionEntry): number =>
  Math.round((characters / LINE_CHARACTERS) * LINE_PX + blocks * (LINE_PX / 2 + BLOCK_GAP_PX))

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
    const content = data ?? NO_BLOCKS
    const marks = toMarks(content, passage, matches, now)
    const anchors = toAnchors(content, entry.first_chunk)
    const blocks = content.blocks.map(
      (block, index): ShownBlock => ({ index, block, marks: marks[index]!, anchors: anchors[index]! }),
    )
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
