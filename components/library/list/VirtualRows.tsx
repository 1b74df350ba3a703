"use client"
import {
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react"
import { partitionPoint } from "#lib/domain/partition-point.ts"

/** What a list can be told from outside. */
export type VirtualRowsHandle = { readonly scrollTo: (index: number) => void }

type VirtualRowsProps = {
  label: string
  count: number
  /** The height of a row in pixels. */
  sizeOf: (index: number) => number
  keyOf: (index: number) => string
  render: (index: number) => ReactNode
  /** Called when the end of the list comes near. */
  onEnd: () => void
  handle?: Ref<VirtualRowsHandle>
}

/** The height of the window until the browser has measured it. The server renders the rows that it shows. */
const SERVER_WINDOW_PX = 900
/** Rows this far above and below the window are rendered, too. The list renders again after scrolling half as far. */
const MARGIN_PX = 560
const STEP_PX = MARGIN_PX / 2
const ROWS_BEFORE_END = 20
/** The height of the toolbar, which stays at the top of the window. */
const TOOLBAR_PX = 112

const useIsomorphicLayoutEffect = typeof window === "undefined" ? useEffect : useLayoutEffect

/** The part of a list that the window shows, in pixels from the top of the list. */
type View = { readonly from: number; readonly to: number }

/**
 * A list that scrolls with the page and renders only the rows near the window. Its rows have known heights; a library for
 * rows of unknown heights would be a twentieth of the scripts that the page may load.
 */
export const VirtualRows = ({ label, count, sizeOf, keyOf, render, onEnd, handle }: VirtualRowsProps) => {
  const list = useRef<HTMLUListElement>(null)
  const [view, setView] = useState<View>({ from: 0, to: SERVER_WINDOW_PX })
  /** The top of each row, followed by the height of the list. */
  const tops = useMemo(() => {
    const all = [0]
    for (let i = 0; i < count; i++) all.push(all[i]! + sizeOf(i))
    return all
  }, [count, sizeOf])
  useIsomorphicLayoutEffect(() => {
    const measure = () => {
      if (!list.current) return
      const from = Math.floor(-list.current.getBoundingClientRect().top / STEP_PX) * STEP_PX
      const to = from + Math.ceil(window.innerHeight / STEP_PX + 1) * STEP_PX
      setView((before) => (before.from === from && before.to === to ? before : { from, to }))
    }
    measure()
    // What is above the list, such as the queue, changes its height.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    window.addEventListener("scroll", measure, { passive: true })
    window.addEventListener("resize", measure)
    return () => {
      observer.disconnect()
      window.removeEventListener("scroll", measure)
      window.removeEventListener("resize", measure)
    }
  }, [])
  useImperativeHandle(handle, () => ({
    scrollTo: (index) => {
      const above = list.current?.getBoundingClientRect().top
      if (above === undefined || index < 0) return
      const [top, bottom] = [above + tops[index]!, above + tops[index + 1]!]
      if (top < TOOLBAR_PX) window.scrollBy({ top: top - TOOLBAR_PX })
      else if (bottom > window.innerHeight) window.scrollBy({ top: bottom - window.innerHeight + MARGIN_PX / 4 })
    },
  }))
  const first = partitionPoint(count, (i) => tops[i + 1]! < view.from - MARGIN_PX)
  const end = partitionPoint(count, (i) => tops[i]! < view.to + MARGIN_PX)
  const isNearEnd = count > 0 && end >= count - ROWS_BEFORE_END
  useEffect(() => {
    if (isNearEnd) onEnd()
  }, [isNearEnd, onEnd])
  return (
    <ul ref={list} aria-label={label} className="relative" style={{ height: tops[count]! }}>
      {Array.from({ length: Math.max(0, end - first) }, (_, n) => first + n).map((i) => (
        <li
          key={keyOf(i)}
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${tops[i]!}px)`, height: sizeOf(i) }}
        >
          {render(i)}
        </li>
      ))}
    </ul>
  )
}
