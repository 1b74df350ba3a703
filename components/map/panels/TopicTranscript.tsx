"use client"
import { type MouseEvent, useCallback, useMemo, useRef } from "react"
import type { Clip } from "#lib/domain/clips.ts"
import { isSpaced } from "#lib/domain/text/join-spoken.ts"
import { seek, togglePlayback, usePlayer } from "../../recording/player/player.ts"
import { listSpeakers } from "../../recording/speakers/speakers.ts"
import { findWordAt, splitIntoParagraphs } from "../../recording/transcript/paragraphs.ts"
import { useActiveWord } from "../../recording/transcript/use-active-word.ts"
import { hueStyle, SPEAKER_HUE_OFFSET } from "../../ui/hues.ts"
import type { ClipRange } from "../state/playback-queue.ts"

/** Longer topics are truncated; the page of the recording shows the whole transcript. */
const MAX_WORDS = 900
/** The transcript scrolls after this many words, which is about two lines. */
const WORDS_PER_STEP = 12

/** Shows the words of a topic and highlights the spoken one. A click on a word plays from there. */
export const TopicTranscript = ({ clip, range: { from, to } }: { clip: Clip; range: ClipRange }) => {
  const words = useMemo(
    () => clip.transcription.filter((w) => w.start >= from - 0.05 && w.start < to).slice(0, MAX_WORDS),
    [clip, from, to],
  )
  const paragraphs = useMemo(() => splitIntoParagraphs(words), [words])
  const lines = useMemo(
    () => words.filter((_, i) => i % WORDS_PER_STEP === 0).map((w) => ({ start_s: w.start })),
    [words],
  )
  const speakers = useMemo(() => new Map(listSpeakers(clip).map((s) => [s.id, s])), [clip])
  const box = useRef<HTMLElement>(null)
  const reveal = useCallback(
    (time: number) => {
      const word = box.current?.querySelector<HTMLElement>(`[data-w="${findWordAt(words, time)}"]`)
      if (word && box.current) box.current.scrollTop = word.offsetTop - box.current.clientHeight / 3
    },
    [words],
  )
  useActiveWord({ container: box, words, rows: lines, reveal })
  const stopFollowing = () => usePlayer.getState().isFollowing && usePlayer.setState({ isFollowing: false })
  const onClick = (event: MouseEvent) => {
    const n = (event.target as HTMLElement).closest<HTMLElement>("[data-w]")?.dataset.w
    const word = n !== undefined && words[Number(n)]
    if (!word || !window.getSelection()?.isCollapsed) return
    seek(word.start)
    if (!usePlayer.getState().isPlaying) togglePlayback()
  }
  if (words.length === 0) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users control the player above
    <section
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      tabIndex={0}
      aria-label="Transcript of this topic"
      onClick={onClick}
      onWheel={stopFollowing}
      onTouchMove={stopFollowing}
      className="relative grid max-h-52 gap-2 overflow-y-auto rounded-md border border-line bg-surface px-3 py-2 text-sm leading-[1.65]"
    >
      {paragraphs.map(({ first, end, speaker }, i) => {
        const named = speakers.get(speaker)
        return (
          <p key={first} style={hueStyle(SPEAKER_HUE_OFFSET + (named?.rank ?? 0))}>
            {paragraphs[i - 1]?.speaker !== speaker && (
              <span className="mr-1.5 text-xs font-[600] text-tint-ink">
                <bdi>{named?.name}</bdi>
              </span>
            )}
            {words.slice(first, end).map((word, k) => {
              const n = first + k
              return (
                <span key={n}>
                  {k > 0 && isSpaced(words[n - 1]!.word, word.word) && " "}
                  <span data-w={n} className="word cursor-pointer">
                    {word.word}
                  </span>
                </span>
              )
            })}
          </p>
        )
      })}
    </section>
  )
}
