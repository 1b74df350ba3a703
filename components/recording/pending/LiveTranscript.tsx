"use client"
import { memo, useEffect, useMemo, useRef } from "react"
import type { LiveWord } from "#lib/domain/jobs/live-words.ts"
import { joinSpoken } from "#lib/domain/text/join-spoken.ts"
import { formatClock } from "../../ui/format.ts"
import { splitIntoParagraphs } from "../transcript/paragraphs.ts"

/** The page follows new words while its end is at most this far below the window. */
const NEAR_END_PX = 160

const LiveParagraph = memo(({ time, text }: { time: number; text: string }) => (
  <div className="grid gap-x-4 py-2 sm:grid-cols-[3.5rem_minmax(0,1fr)]">
    <span className="numeric text-xs leading-7 text-muted sm:text-right">{formatClock(time)}</span>
    <p className="text-[1.0625rem] leading-[1.65] text-wrap wrap-break-word sm:text-[1.125rem]">{text}</p>
  </div>
))

/** The words that were recognized so far. Keeps the newest in view unless the user has scrolled away from them. */
export const LiveTranscript = ({ words }: { words: readonly LiveWord[] }) => {
  const paragraphs = useMemo(() => {
    const spoken = words.map((word) => ({ ...word, speaker: "0" }))
    return splitIntoParagraphs(spoken).map(({ first, end, start_s }) => ({
      start_s,
      text: joinSpoken(spoken.slice(first, end).map((w) => w.word)),
    }))
  }, [words])
  const wasNearEnd = useRef(false)
  wasNearEnd.current =
    typeof window !== "undefined" &&
    document.documentElement.scrollHeight - window.scrollY - window.innerHeight < NEAR_END_PX
  // biome-ignore lint/correctness/useExhaustiveDependencies: new words make the page longer
  useEffect(() => {
    if (wasNearEnd.current && window.scrollY > 0) window.scrollTo({ top: document.documentElement.scrollHeight })
  }, [words])
  if (words.length === 0) return null
  return (
    <section aria-label="Transcript so far" className="max-w-[47rem]">
      {paragraphs.map(({ start_s, text }) => (
        <LiveParagraph key={start_s} time={start_s} text={text} />
      ))}
    </section>
  )
}
