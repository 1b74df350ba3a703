"use client"
import Link from "next/link"
import type { ReactNode } from "react"
import { NavLinks } from "../../shell/Navigation.tsx"
import { openPalette } from "../../shell/palette/palette-store.ts"
import { IconButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { formatCount } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { LogoMark } from "../../ui/Logo.tsx"
import type { Coloring } from "../state/coloring.ts"
import type { MapModel } from "../state/model.ts"
import { NONE, showClip, toggleSolo, useMap } from "../state/store.ts"
import { Search } from "./Search.tsx"
import { TopicList } from "./TopicList.tsx"

/** Names the recording and the group that are highlighted alone, and offers to show all again. */
const Focus = ({ model }: { model: MapModel }) => {
  const clip = useMap((s) => s.clip)
  const soloGroup = useMap((s) => s.soloGroup)
  const coloring = useMap((s) => s.coloring)
  const find = (by: Coloring, id: number) => model.groupings[by].groups.find((group) => group.id === id)
  const focused = [
    { group: find("clip", clip), label: "Show all recordings", onClose: () => showClip(NONE) },
    { group: find(coloring, soloGroup), label: "Show all groups", onClose: () => toggleSolo(soloGroup) },
  ]
  return focused.map(
    ({ group, label, onClose }) =>
      group && (
        <p key={label} className="flex items-center gap-2 border-t border-line py-1 pr-1.5 pl-4 text-sm text-soft">
          <span className="min-w-0 flex-1 truncate">
            Only <bdi className="font-[580] text-ink">{group.name}</bdi>
          </span>
          <IconButton name="close" label={label} onClick={onClose} />
        </p>
      ),
  )
}

const Home = ({ className }: { className?: string }) => (
  <Link
    href="/"
    aria-label="Earmark, home"
    className={cx("grid size-10 shrink-0 place-items-center rounded-full", className)}
  >
    <LogoMark size={24} />
  </Link>
)

type SidebarProps = {
  model: MapModel
  className: string
  isOpen: boolean
  /** Hides the open list but keeps its state, such as the scroll position. */
  isListHidden: boolean
  onToggle: () => void
  /** Shown above the list. */
  notice: ReactNode
}

/** Navigation and search, with search results or the topic list below. */
export const Sidebar = ({ model, className, isOpen, isListHidden, onToggle, notice }: SidebarProps) => {
  const isSearching = useMap((s) => s.query.trim() !== "")
  return (
    <div
      className={cx(
        "panel pointer-events-auto z-20 flex max-h-full min-h-0 flex-col overflow-hidden md:w-88",
        (!isOpen || isListHidden) && "self-start",
        className,
      )}
    >
      <div className="flex items-center gap-1 border-b border-line py-1 pr-2 pl-2 max-md:hidden">
        <Home />
        <NavLinks small className="flex-1" />
        <button
          type="button"
          onClick={() => openPalette()}
          aria-label="Open search, Ctrl K"
          aria-keyshortcuts="Meta+K Control+K"
          className="whitespace-nowrap rounded-full px-2 py-1 text-xs text-muted transition hover:bg-accent-wash hover:text-ink"
        >
          Ctrl K
        </button>
      </div>
      <Search
        model={model}
        before={<Home className="md:hidden" />}
        after={
          <IconButton name="list" label={isOpen ? "Hide list" : "Show list"} aria-pressed={isOpen} onClick={onToggle} />
        }
      />
      {notice && <div className="border-t border-line p-2">{notice}</div>}
      <Focus model={model} />
      {isOpen && !isSearching && (
        <div className={cx("min-h-0 flex-1 flex-col border-t border-line pt-3", isListHidden ? "hidden" : "flex")}>
          <TopicList model={model} />
          <p className="numeric flex items-center justify-between gap-2 border-t border-line py-1.5 pr-2 pl-4 text-xs text-muted">
            {formatCount(model.count, "topic")} in {formatCount(model.clipIds.length, "recording")}
            <Link
              href="/"
              className="inline-flex h-8 items-center gap-1 rounded-full px-2.5 font-[560] text-soft transition hover:bg-accent-wash hover:text-ink"
            >
              <Icon name="plus" size={15} />
              Add
            </Link>
          </p>
        </div>
      )}
    </div>
  )
}
