"use client"
import { memo, type ReactNode, useState } from "react"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { hueStyle, SPEAKER_HUE_OFFSET } from "../../ui/hues.ts"
import { Icon } from "../../ui/Icon.tsx"
import type { Speaker } from "../speakers/speakers.ts"
import type { ParagraphSpan } from "./paragraphs.ts"
import { SpeakerMenu } from "./SpeakerMenu.tsx"
import type { Match } from "./use-find.ts"

type ParagraphProps = {
  paragraph: ParagraphSpan
  words: readonly WordSpan[]
  speaker: Speaker | undefined
  /** True if the previous paragraph has another speaker. */
  isNewTurn: boolean
  /** The search matches in this paragraph, and the first word of the current match. */
  matches: readonly Match[]
  currentMatchWord: number
  /** True if the paragraph is at the playback position. */
  isSpoken: boolean
  onSeek: (time: number) => void
  onCorrect: (paragraph: ParagraphSpan) => void
}

const getMatchMark = (matches: readonly Match[], currentMatchWord: number, i: number): "now" | "" | undefined => {
  const hit = matches.find(({ first, end }) => i >= first && i < end)
  return hit && (hit.first === currentMatchWord ? "now" : "")
}

type WordsProps = Pick<ParagraphProps, "paragraph" | "words" | "matches" | "currentMatchWord"> & { asElements: boolean }

/** The words of a paragraph, as plain text or, with `asElements`, as elements that can be clicked and highlighted. */
const Words = ({ paragraph, words, matches, currentMatchWord, asElements }: WordsProps): ReactNode => {
  const own = words.slice(paragraph.first, paragraph.end)
  if (!asElements) return own.map((word) => word.word).join(" ")
  return own.flatMap((word, i) => {
    const n = paragraph.first + i
    const mark = getMatchMark(matches, currentMatchWord, n)
    return [
      <span key={n} data-w={n} className="word" {...(mark !== undefined && { "data-found": mark })}>
        {word.word}
      </span>,
      " ",
    ]
  })
}

/**
 * A paragraph of one speaker. A click on a word seeks to it. Words become elements only when the pointer enters, the
 * paragraph is being played or it contains a match, because most paragraphs are only scrolled past.
 */
export const Paragraph = memo((props: ParagraphProps) => {
  const { paragraph, words, speaker, isNewTurn, matches, currentMatchWord, isSpoken, onSeek, onCorrect } = props
  const [isHovered, setHovered] = useState(false)
  const asElements = isHovered || isSpoken || matches.length > 0
  return (
    <div
      onPointerEnter={() => setHovered(true)}
      className="group/paragraph relative grid gap-x-4 px-2 py-1.5 sm:grid-cols-[4.25rem_minmax(0,1fr)] sm:px-3"
      style={hueStyle(SPEAKER_HUE_OFFSET + (speaker?.rank ?? 0))}
    >
      <button
        type="button"
        onClick={() => onSeek(paragraph.start_s)}
        aria-label={`Go to ${formatClock(paragraph.start_s)}`}
        className="numeric h-6 justify-self-start rounded-sm px-1 text-left text-xs text-muted transition hover:text-accent max-sm:hidden"
      >
        {formatClock(paragraph.start_s)}
      </button>
      <div className="min-w-0">
        {isNewTurn && speaker && (
          <div className="flex items-center gap-2 pt-1 pb-0.5">
            <SpeakerMenu speaker={speaker} paragraph={paragraph} />
            <button
              type="button"
              onClick={() => onSeek(paragraph.start_s)}
              aria-label={`Go to ${formatClock(paragraph.start_s)}`}
              className="numeric min-h-7 min-w-7 px-1 text-left text-xs text-muted sm:hidden"
            >
              {formatClock(paragraph.start_s)}
            </button>
          </div>
        )}
        {/* text-wrap: pretty costs more than everything else in a paragraph that scrolls into view. */}
        <p className="max-w-[46rem] leading-[1.7] text-wrap wrap-break-word">
          <Words {...{ paragraph, words, matches, currentMatchWord, asElements }} />
        </p>
      </div>
      <div
        className={cx(
          "absolute top-1 right-1 flex rounded-full border border-line bg-raised opacity-0 shadow-float transition group-hover/paragraph:opacity-100 focus-within:opacity-100 max-sm:top-2 max-sm:border-0 max-sm:bg-transparent max-sm:opacity-100 max-sm:shadow-none",
          // On a phone, there is space next to a speaker's name but not next to the words.
          !isNewTurn && "max-sm:static max-sm:-my-1 max-sm:justify-self-end",
        )}
      >
        {!isNewTurn && speaker && <SpeakerMenu speaker={speaker} paragraph={paragraph} small />}
        <button
          type="button"
          aria-label={`Correct text at ${formatClock(paragraph.start_s)}`}
          title="Correct text"
          onClick={() => onCorrect(paragraph)}
          className="grid size-7 place-items-center rounded-full text-muted transition hover:bg-accent-wash hover:text-ink"
        >
          <Icon name="edit" size={15} />
        </button>
      </div>
    </div>
  )
})
