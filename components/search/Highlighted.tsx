import type { ReactNode } from "react"

type HighlightedProps = { text: string; marks: readonly (readonly [number, number])[] }

/** Text with highlighted ranges. `marks` are [start, end) character offsets. */
export const Highlighted = ({ text, marks }: HighlightedProps) => {
  const parts: ReactNode[] = []
  let at = 0
  for (const [from, to] of marks) {
    parts.push(text.slice(at, from))
    parts.push(
      <mark key={from} className="rounded-[3px] bg-mark text-inherit">
        {text.slice(from, to)}
      </mark>,
    )
    at = to
  }
  return (
    <bdi>
      {parts}
      {text.slice(at)}
    </bdi>
  )
}
