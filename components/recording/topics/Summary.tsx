"use client"
import { useLayoutEffect, useRef, useState } from "react"

/** The summary of a recording, folded to three lines until “More” is pressed. */
export const Summary = ({ text }: { text: string }) => {
  const paragraph = useRef<HTMLParagraphElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [isCut, setCut] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height
  useLayoutEffect(() => {
    const { current } = paragraph
    if (!current) return
    const measure = () => setCut(current.scrollHeight > current.clientHeight + 1)
    const sizes = new ResizeObserver(measure)
    sizes.observe(current)
    return () => sizes.disconnect()
  }, [text])
  return (
    <div>
      <p ref={paragraph} className={isOpen ? "text-soft" : "line-clamp-3 text-soft"}>
        {text}
      </p>
      {(isCut || isOpen) && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="min-h-7 rounded-sm text-sm font-[560] text-accent underline-offset-4 hover:underline max-sm:min-h-11"
        >
          {isOpen ? "Less" : "More"}
        </button>
      )}
    </div>
  )
}
