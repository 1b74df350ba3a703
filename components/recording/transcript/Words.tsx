import { Fragment, type ReactNode } from "react"
import { isSpaced } from "#lib/domain/text/join-spoken.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { hueStyle, SPEAKER_HUE_OFFSET } from "../../ui/hues.ts"
import { Icon } from "../../ui/Icon.tsx"
import type { Highlight } from "../notes/highlights.ts"
import { showNote } from "../recording-view.ts"
import type { Speaker } from "../speakers/speakers.ts"
import type { Match } from "./use-find.ts"
import type { WordRun } from "./word-runs.ts"

type WordsProps = {
  words: readonly WordSpan[]
  runs: readonly WordRun[]
  speakers: ReadonlyMap<string, Speaker>
  matches: readonly Match[]
  currentMatchWord: number
  highlights: readonly Highlight[]
  /** Renders each word as an element that can be clicked, selected and highlighted. */
  asElements: boolean
}

const getMatchMark = (matches: readonly Match[], currentMatchWord: number, i: number): "now" | "" | undefined => {
  const hit = matches.find(({ first, end }) => i >= first && i < end)
  return hit && (hit.first === currentMatchWord ? "now" : "")
}

/** Opens the note on the words before it. */
const NoteMark = ({ highlight: { id, text, color } }: { highlight: Highlight }) => (
  <button
    type="button"
    data-highlight={color}
    title={text}
    aria-label={`Note: ${text.slice(0, 80)}`}
    onClick={(event) => {
      event.stopPropagation()
      showNote(id)
    }}
    className="mx-0.5 inline-grid size-6 translate-y-0.5 place-items-center rounded-full align-baseline select-none"
  >
    <Icon name="note" size={14} />
  </button>
)

/** An interjection of another speaker within a paragraph. */
const Interjection = ({ speaker, children }: { speaker: Speaker | undefined; children: ReactNode }) => (
  <span
    title={speaker?.name}
    style={hueStyle(SPEAKER_HUE_OFFSET + (speaker?.rank ?? 0))}
    className="mx-0.5 rounded-full bg-line/50 px-1.5 py-px text-[0.85em] text-tint-ink"
  >
    {speaker && <span className="sr-only">{speaker.name}: </span>}
    {children}
  </span>
)

/** The words of a paragraph: as plain text, or each as an element within its sentence. */
export const Words = ({
  words,
  runs,
  speakers,
  matches,
  currentMatchWord,
  highlights,
  asElements,
}: WordsProps): ReactNode => {
  let before: string | undefined
  return runs.map((run) => {
    const parts: ReactNode[] = []
    let text = ""
    // The space before the first word is outside the element of the run, so that it is not highlighted.
    const lead = before !== undefined && isSpaced(before, words[run.words[0]!]!.word) ? " " : ""
    for (const [k, n] of run.words.entries()) {
      const { word } = words[n]!
      if (k > 0 && isSpaced(before!, word)) text += " "
      before = word
      if (!asElements) {
        text += word
        continue
      }
      const mark = getMatchMark(matches, currentMatchWord, n)
      const highlight = highlights.findLast((own) => n >= own.first && n < own.end)
      // The space between two words of a highlight has its color, too.
      const isJoined = text === " " && highlight !== undefined && n > highlight.first
      if (!isJoined) parts.push(text)
      parts.push(
        <span
          key={n}
          data-w={n}
          className="word"
          {...(mark !== undefined && { "data-found": mark })}
          {...(highlight && { "data-highlight": highlight.color })}
        >
          {isJoined && text}
          {word}
        </span>,
        ...highlights
          .filter((own) => own.end === n + 1 && own.text !== "")
          .map((own) => <NoteMark key={own.id} highlight={own} />),
      )
      text = ""
    }
    const content = asElements ? parts : text
    const key = run.words[0]!
    if (run.interjection !== null)
      return (
        <Fragment key={key}>
          {lead}
          <Interjection speaker={speakers.get(run.interjection)}>{content}</Interjection>
        </Fragment>
      )
    return (
      <Fragment key={key}>
        {lead}
        {asElements ? <span className="sentence">{content}</span> : content}
      </Fragment>
    )
  })
}
