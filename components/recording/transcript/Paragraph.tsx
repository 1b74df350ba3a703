"use client"
import { memo, type ReactNode, useState } from "react"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { cx } from "../../ui/cx.ts"
import { clock } from "../../ui/format.ts"
import { hueStyle, VOICE_HUE } from "../../ui/hues.ts"
import { Icon } from "../../ui/Icon.tsx"
import type { Voice } from "../speakers/speakers.ts"
import type { Block } from "./blocks.ts"
import type { Found } from "./find.ts"
import { SpeakerMenu } from "./SpeakerMenu.tsx"

type ParagraphProps = {
  block: Block
  words: readonly WordSpan[]
  voice: Voice | undefined
  /** Whether another voice spoke before it. */
  turn: boolean
  /** What a search found in it, and which of these is the one that was walked to. */
  found: readonly Found[]
  walked: number
  /** Whether it is spoken just now. */
  spoken: boolean
  onSeek: (time: number) => void
  onCorrect: (block: Block) => void
}

const foundAt = (found: readonly Found[], walked: number, i: number): "now" | "" | undefined => {
  const hit = found.find(({ first, end }) => i >= first && i < end)
  return hit && (hit.first === walked ? "now" : "")
}

type WordsProps = Pick<ParagraphProps, "block" | "words" | "found" | "walked"> & { apart: boolean }

/** The words of a paragraph: one run of text, or `apart`, each an element of its own that can be lit and clicked. */
const Words = ({ block, words, found, walked, apart }: WordsProps): ReactNode => {
  const own = words.slice(block.first, block.end)
  if (!apart) return own.map((word) => word.word).join(" ")
  return own.flatMap((word, i) => {
    const n = block.first + i
    const mark = foundAt(found, walked, n)
    return [
      <span key={n} data-w={n} className="word" {...(mark !== undefined && { "data-found": mark })}>
        {word.word}
      </span>,
      " ",
    ]
  })
}

/**
 * A paragraph of one voice. A click on a word goes there; its time and its voice are buttons. Its words become elements
 * when somebody comes near, it is spoken or a search has found it: most paragraphs are only scrolled past.
 */
export const Paragraph = memo((props: ParagraphProps) => {
  const { block, words, voice, turn, found, walked, spoken, onSeek, onCorrect } = props
  const [near, setNear] = useState(false)
  const apart = near || spoken || found.length > 0
  return (
    <div
      onPointerEnter={() => setNear(true)}
      className="group/paragraph relative grid gap-x-4 px-2 py-1.5 sm:grid-cols-[4.25rem_minmax(0,1fr)] sm:px-3"
      style={hueStyle(VOICE_HUE + (voice?.rank ?? 0))}
    >
      <button
        type="button"
        onClick={() => onSeek(block.start_s)}
        aria-label={`Go to ${clock(block.start_s)}`}
        className="numeric h-6 justify-self-start rounded-sm px-1 text-left text-xs text-muted transition hover:text-accent max-sm:hidden"
      >
        {clock(block.start_s)}
      </button>
      <div className="min-w-0">
        {turn && voice && (
          <div className="flex items-center gap-2 pt-1 pb-0.5">
            <SpeakerMenu voice={voice} block={block} />
            <button
              type="button"
              onClick={() => onSeek(block.start_s)}
              aria-label={`Go to ${clock(block.start_s)}`}
              className="numeric min-h-7 min-w-7 px-1 text-left text-xs text-muted sm:hidden"
            >
              {clock(block.start_s)}
            </button>
          </div>
        )}
        {/* Breaking lines one by one: to make them even costs more than all else of a paragraph that comes into sight. */}
        <p className="max-w-[46rem] leading-[1.7] text-wrap wrap-break-word">
          <Words {...{ block, words, found, walked, apart }} />
        </p>
      </div>
      <div
        className={cx(
          "absolute top-1 right-1 flex rounded-full border border-line bg-raised opacity-0 shadow-float transition group-hover/paragraph:opacity-100 focus-within:opacity-100 max-sm:top-2 max-sm:border-0 max-sm:bg-transparent max-sm:opacity-100 max-sm:shadow-none",
          // On a phone there is room beside a speaker's name, and none beside the words.
          !turn && "max-sm:static max-sm:-my-1 max-sm:justify-self-end",
        )}
      >
        {!turn && voice && <SpeakerMenu voice={voice} block={block} small />}
        <button
          type="button"
          aria-label={`Correct the words at ${clock(block.start_s)}`}
          title="Correct the words"
          onClick={() => onCorrect(block)}
          className="grid size-7 place-items-center rounded-full text-muted transition hover:bg-accent-wash hover:text-ink"
        >
          <Icon name="edit" size={15} />
        </button>
      </div>
    </div>
  )
})
