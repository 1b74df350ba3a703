"use client"
import { memo, useMemo, useState } from "react"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { hueStyle, SPEAKER_HUE_OFFSET } from "../../ui/hues.ts"
import { Icon } from "../../ui/Icon.tsx"
import type { Highlight } from "../notes/highlights.ts"
import type { Speaker } from "../speakers/speakers.ts"
import type { ParagraphSpan } from "./paragraphs.ts"
import { SpeakerMenu } from "./SpeakerMenu.tsx"
import type { Match } from "./use-find.ts"
import { Words } from "./Words.tsx"
import { splitIntoRuns } from "./word-runs.ts"

type ParagraphProps = {
  paragraph: ParagraphSpan
  words: readonly WordSpan[]
  /** All speakers by ID; empty if the speakers are unknown. */
  speakers: ReadonlyMap<string, Speaker>
  /** True if the previous paragraph has another speaker. */
  isNewTurn: boolean
  /** The search matches in this paragraph, and the first word of the current match. */
  matches: readonly Match[]
  currentMatchWord: number
  /** The highlights with words in this paragraph. */
  highlights: readonly Highlight[]
  /** True if the paragraph is at the playback position. */
  isSpoken: boolean
  hidesFillers: boolean
  onSeek: (time: number) => void
  onCorrect: (paragraph: ParagraphSpan) => void
}

const ACTION =
  "grid size-11 place-items-center rounded-full text-muted transition hover:bg-accent-wash hover:text-ink sm:size-7"

/**
 * A paragraph of one speaker. A click on a word seeks to it. Words become elements only when the pointer enters, the
 * paragraph is being played or it contains a match, because most paragraphs are only scrolled past.
 */
export const Paragraph = memo((props: ParagraphProps) => {
  const { paragraph, words, speakers, isNewTurn, matches, currentMatchWord, isSpoken, hidesFillers } = props
  const { onSeek, onCorrect, highlights } = props
  const [isHovered, setHovered] = useState(false)
  const runs = useMemo(() => splitIntoRuns(words, paragraph, hidesFillers), [words, paragraph, hidesFillers])
  const asElements = isHovered || isSpoken || matches.length > 0 || highlights.length > 0
  const speaker = speakers.get(paragraph.speaker)
  const clock = formatClock(paragraph.start_s)
  return (
    <div
      data-paragraph={paragraph.first}
      onPointerEnter={() => setHovered(true)}
      className="group/paragraph relative grid gap-x-4 sm:py-2 sm:grid-cols-[3.5rem_minmax(0,1fr)]"
      style={hueStyle(SPEAKER_HUE_OFFSET + (speaker?.rank ?? 0))}
    >
      <button
        type="button"
        onClick={() => onSeek(paragraph.start_s)}
        aria-label={`Go to ${clock}`}
        className={cx(
          "numeric h-7 justify-self-end rounded-sm px-1 text-xs text-muted transition hover:text-accent max-sm:hidden",
          isNewTurn && speaker && "mt-7",
        )}
      >
        {clock}
      </button>
      <div className="min-w-0">
        <div
          className={cx(
            "flex items-center gap-1 sm:h-7",
            !(isNewTurn && speaker) && "sm:absolute sm:-top-1 sm:right-0",
          )}
        >
          {isNewTurn && speaker && <SpeakerMenu speaker={speaker} paragraph={paragraph} />}
          <button
            type="button"
            onClick={() => onSeek(paragraph.start_s)}
            aria-label={`Go to ${clock}`}
            className="numeric h-11 min-w-11 px-1 text-left text-xs text-muted sm:hidden"
          >
            {clock}
          </button>
          <div className="ml-auto flex transition group-hover/paragraph:opacity-100 focus-within:opacity-100 sm:rounded-full sm:bg-paper sm:opacity-0">
            {!isNewTurn && speaker && <SpeakerMenu speaker={speaker} paragraph={paragraph} small />}
            <button
              type="button"
              aria-label={`Correct text at ${clock}`}
              title="Correct text"
              onClick={() => onCorrect(paragraph)}
              className={ACTION}
            >
              <Icon name="edit" size={15} />
            </button>
          </div>
        </div>
        {/* text-wrap: pretty costs more than everything else in a paragraph that scrolls into view. */}
        <p className="text-[1.0625rem] leading-[1.65] text-wrap wrap-break-word sm:text-[1.125rem] sm:leading-[1.67]">
          <Words {...{ words, runs, speakers, matches, currentMatchWord, highlights, asElements }} />
        </p>
      </div>
    </div>
  )
})
