"use client"
import { useEffect, useRef, useState } from "react"
import { cx } from "../ui/cx.ts"
import { MethodBadge } from "./MethodBadge.tsx"

export type NavGroup = {
  readonly tag: string
  readonly entries: readonly { readonly id: string; readonly method: string; readonly path: string }[]
}

/** Returns the ID of the endpoint at the top of the window. */
const useVisibleEndpoint = (groups: readonly NavGroup[]): string | null => {
  const [visible, setVisible] = useState<string | null>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.find(({ isIntersecting }) => isIntersecting)
        if (entry) setVisible(entry.target.id)
      },
      { rootMargin: "-15% 0% -80% 0%" },
    )
    for (const { id } of groups.flatMap(({ entries }) => entries)) {
      const section = document.getElementById(id)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [groups])
  return visible
}

/** Keeps the link of the visible endpoint in view, without scrolling the page. */
const useFollow = (visible: string | null) => {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>("[aria-current]")
    if (!link || !list.current || visible === null) return
    const { top, bottom } = list.current.getBoundingClientRect()
    const box = link.getBoundingClientRect()
    if (box.top < top) list.current.scrollTop -= top - box.top + 40
    if (box.bottom > bottom) list.current.scrollTop += box.bottom - bottom + 40
  }, [visible])
  return list
}

const matches = (text: string, { id, method, path }: NavGroup["entries"][number]): boolean =>
  `${method} ${path} ${id}`.toLowerCase().includes(text.trim().toLowerCase())

/** Lists the endpoints by noun, with a filter. On a phone, where the list would fill several screens, only the nouns. */
export const EndpointNav = ({ groups }: { groups: readonly NavGroup[] }) => {
  const [filter, setFilter] = useState("")
  const visible = useVisibleEndpoint(groups)
  const list = useFollow(visible)
  const shown = groups
    .map(({ tag, entries }) => ({ tag, entries: entries.filter((entry) => matches(filter, entry)) }))
    .filter(({ entries }) => entries.length > 0)
  return (
    <nav
      ref={list}
      aria-label="Endpoints"
      className="mb-10 max-lg:flex max-lg:flex-wrap max-lg:gap-x-5 lg:sticky lg:top-0 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:pt-1 lg:pb-6"
    >
      <input
        type="search"
        aria-label="Filter endpoints"
        placeholder="Filter"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        className="mb-4 h-8 w-[calc(100%-0.5rem)] rounded-md border border-line-strong bg-raised px-2.5 text-sm placeholder:text-muted focus-visible:-outline-offset-1 max-lg:hidden lg:ml-0.5"
      />
      {shown.map(({ tag, entries }) => (
        <div key={tag} className="lg:mb-4">
          <a href={`#tag-${tag}`} className="font-[600] text-sm capitalize hover:text-accent max-lg:leading-8">
            {tag}
          </a>
          <ul className="mt-1 max-lg:hidden">
            {entries.map(({ id, method, path }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  aria-current={id === visible ? "true" : undefined}
                  className={cx(
                    "flex items-baseline gap-1.5 rounded-sm py-0.5 hover:text-ink",
                    id === visible ? "bg-raised text-ink" : "text-muted",
                  )}
                >
                  <MethodBadge method={method} small />
                  <span className="font-mono text-xs [overflow-wrap:anywhere]">{path}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {shown.length === 0 && <p className="text-sm text-muted max-lg:hidden">No endpoint matches.</p>}
      <a href="#schemas" className="font-[600] text-sm hover:text-accent max-lg:leading-8">
        Schemas
      </a>
    </nav>
  )
}
