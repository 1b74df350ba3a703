"use client"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useRef } from "react"
import type { WordSpan } from "#lib/contracts/words.ts"
import { client } from "../../api.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { clock } from "../../ui/format.ts"
import { hush, listen, pause, resume, type Stretch, useListening } from "../listen.ts"

/** So many words of a topic are shown; a recording as a whole is read on its own page. */
const MOST_WORDS = 900

const useWords = ({ clip, from, to }: Stretch) => {
  const found = useQuery({
    queryKey: ["clip", clip],
    queryFn: ({ signal }) => client.clip(clip, { signal }),
    staleTime: 60_000,
  })
  const words = useMemo(
    () => found.data?.transcription.filter((w) => w.start >= from - 0.05 && w.start < to).slice(0, MOST_WORDS) ?? [],
    [found.data, from, to],
  )
  return { words, speakers: found.data?.speakers ?? {}, pending: found.isPending }
}

const turnsOf = (words: readonly WordSpan[]): { speaker: string; first: number; words: WordSpan[] }[] => {
  const turns: { speaker: string; first: number; words: WordSpan[] }[] = []
  words.forEach((word, i) => {
    const last = turns.at(-1)
    if (last?.speaker === word.speaker) last.words.push(word)
    else turns.push({ speaker: word.speaker, first: i, words: [word] })
  })
  return turns
}

/** The words of the stretch; the one that is heard is marked and kept in sight. A click on a word plays from there. */
const Words = ({ stretch }: { stretch: Stretch }) => {
  const { words, speakers, pending } = useWords(stretch)
  const heard = useListening((s) => {
    if (s.now?.point !== stretch.point) return -1
    let at = -1
    for (let i = 0; i < words.length && words[i]!.start <= s.second + 0.05; i++) at = i
    return at
  })
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const word = box.current?.querySelector<HTMLElement>(`[data-word="${heard}"]`)
    if (!word || !box.current) return
    const middle = word.offsetTop - box.current.clientHeight / 2
    if (Math.abs(box.current.scrollTop - middle) > box.current.clientHeight / 3) box.current.scrollTop = middle
  }, [heard])
  if (pending) return <p className="text-sm text-muted">Reading the words …</p>
  if (words.length === 0) return null
  return (
    <section
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Words of this topic"
      className="relative grid max-h-52 gap-2 overflow-y-auto rounded-md border border-line bg-surface px-3 py-2 text-sm text-soft"
    >
      {turnsOf(words).map((turn) => (
        <p key={turn.first}>
          <span className="mr-1.5 text-xs font-[560] text-muted">
            {speakers[turn.speaker] ||
              (/^\d+$/.test(turn.speaker) ? `Speaker ${Number(turn.speaker) + 1}` : turn.speaker)}
          </span>
          {turn.words.map((word, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the button above plays by keyboard
            // biome-ignore lint/a11y/noStaticElementInteractions: hundreds of words, none of them worth a stop of Tab
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a word has nothing but its number
              key={turn.first + i}
              data-word={turn.first + i}
              onClick={() => listen([stretch], client.audioUrl, word.start)}
              className={cx(
                "cursor-pointer rounded-sm hover:text-accent",
                turn.first + i === heard && "bg-accent text-accent-ink hover:text-accent-ink",
              )}
            >
              {word.word}{" "}
            </span>
          ))}
        </p>
      ))}
    </section>
  )
}

/** Plays a topic from its second, with its words. */
export const Listen = ({ stretch }: { stretch: Stretch }) => {
  const playing = useListening((s) => s.playing && s.now?.point === stretch.point)
  const paused = useListening((s) => !s.playing && s.now?.point === stretch.point && s.second < stretch.to)
  const second = useListening((s) => (s.now?.point === stretch.point ? Math.floor(s.second) : null))
  const problem = useListening((s) => (s.now?.point === stretch.point ? s.problem : null))
  useEffect(() => hush, [])
  const press = () => (playing ? pause() : paused ? resume() : listen([stretch], client.audioUrl))
  const part = second === null ? 0 : Math.min(1, Math.max(0, (second - stretch.from) / (stretch.to - stretch.from)))
  return (
    <div className="grid gap-2.5">
      <div className="flex items-center gap-3">
        <Button look="primary" icon={playing ? "pause" : "play"} onClick={press}>
          {playing ? "Pause" : `Play from ${clock(stretch.from)}`}
        </Button>
        {second !== null && (
          <div className="flex min-w-0 flex-1 items-center gap-2">
            <div
              role="progressbar"
              aria-label="Heard of this topic"
              aria-valuenow={Math.round(part * 100)}
              className="h-1 flex-1 overflow-hidden rounded-full bg-line"
            >
              <div className="h-full rounded-full bg-accent" style={{ width: `${part * 100}%` }} />
            </div>
            <span className="numeric text-xs text-muted">{clock(second)}</span>
          </div>
        )}
      </div>
      {problem && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
      <Words stretch={stretch} />
    </div>
  )
}
