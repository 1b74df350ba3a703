"use client"
import { useWindowVirtualizer } from "@tanstack/react-virtual"
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react"

/** What a list can be told from outside. */
export type VirtualRowsHandle = { readonly scrollTo: (index: number) => void }

type VirtualRowsProps = {
  label: string
  count: number
  /** The height of a row in pixels. An estimate if `isMeasured` is set. */
  sizeOf: (index: number) => number
  keyOf: (index: number) => string
  render: (index: number) => ReactNode
  isMeasured?: boolean
  /** Called when the end of the list comes near. */
  onEnd: () => void
  handle?: Ref<VirtualRowsHandle>
}

/** The size of the window until the browser has measured it. The server renders the rows that it shows. */
const SERVER_WINDOW = { width: 1440, height: 900 }
const OVERSCAN = 6
const ROWS_BEFORE_END = 20

const useIsomorphicLayoutEffect = typeof window === "undefined" ? useEffect : useLayoutEffect

/** A list that scrolls with the page and renders only the rows that are visible. */
export const VirtualRows = ({ label, count, sizeOf, keyOf, render, isMeasured, onEnd, handle }: VirtualRowsProps) => {
  const list = useRef<HTMLUListElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: sizeOf,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    scrollMargin,
    initialRect: SERVER_WINDOW,
    initialOffset: 0,
  })
  // What is above the list, such as the queue, changes its height.
  useIsomorphicLayoutEffect(() => {
    const measure = () => {
      const top = list.current?.getBoundingClientRect().top
      if (top !== undefined) setScrollMargin(Math.round(top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  useImperativeHandle(handle, () => ({ scrollTo: (index) => virtual.scrollToIndex(index, { align: "auto" }) }))
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index ?? -1
  const isNearEnd = count > 0 && last >= count - ROWS_BEFORE_END
  useEffect(() => {
    if (isNearEnd) onEnd()
  }, [isNearEnd, onEnd])
  return (
    <ul ref={list} aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
      {rows.map((row) => (
        <li
          key={row.key}
          data-index={row.index}
          ref={isMeasured ? virtual.measureElement : undefined}
          className="absolute inset-x-0 top-0"
          style={{
            transform: `translateY(${row.start - scrollMargin}px)`,
            ...(!isMeasured && { height: row.size }),
          }}
        >
          {render(row.index)}
        </li>
      ))}
    </ul>
  )
}
