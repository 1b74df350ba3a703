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
import type { MapModel } from "../state/model.ts"
import { NONE, showClip, useMap } from "../state/store.ts"
import { Rail } from "./Rail.tsx"
import { Search } from "./Search.tsx"

/** Says that the map shows one recording lit, and takes it back. */
const OnlyClip = ({ model }: { model: MapModel }) => {
  const clip = useMap((s) => s.clip)
  const group = model.groups.clip.find((g) => g.id === clip)
  if (!group) return null
  return (
    <p className="flex items-center gap-2 border-t border-line py-1 pr-1.5 pl-4 text-sm text-soft">
      <span className="min-w-0 flex-1 truncate">
        Only <bdi className="font-[580] text-ink">{group.name}</bdi>
      </span>
      <IconButton name="close" label="Show all recordings" onClick={() => showClip(NONE)} />
    </p>
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

/**
 * `note` stands above the list: what the reader must know before using it. A list that is `aside` comes back as it was; one
 * that is `above` ends where the sheet from below begins.
 */
type SidebarProps = {
  model: MapModel
  open: boolean
  aside: boolean
  above: boolean
  onToggle: () => void
  note: ReactNode
}

/** The places of the house, the search, and below it what it found or the list of all topics. */
export const Sidebar = ({ model, open, aside, above, onToggle, note }: SidebarProps) => {
  const searching = useMap((s) => s.query.trim() !== "")
  return (
    <div
      className={cx(
        "panel absolute inset-x-2 top-2 z-20 flex flex-col overflow-hidden md:inset-x-auto md:top-3 md:left-3 md:w-88",
        open && !aside && (above ? "bottom-[calc(54dvh+4.75rem)]" : "bottom-17 md:bottom-3"),
        !open && "max-h-[calc(100%-1.5rem)]",
      )}
    >
      <div className="flex items-center gap-1 border-b border-line py-1 pr-2 pl-2 max-md:hidden">
        <Home />
        <NavLinks small className="flex-1" />
        <button
          type="button"
          onClick={() => openPalette()}
          aria-label="Ctrl K: search or go to"
          aria-keyshortcuts="Meta+K Control+K"
          className="rounded-full px-2 py-1 text-xs text-muted transition hover:bg-accent-wash hover:text-ink"
        >
          Ctrl K
        </button>
      </div>
      <Search
        model={model}
        before={<Home className="md:hidden" />}
        after={
          <IconButton
            name="list"
            label={open ? "Hide the list" : "Show the list"}
            aria-pressed={open}
            onClick={onToggle}
          />
        }
      />
      {note && <div className="border-t border-line p-2">{note}</div>}
      <OnlyClip model={model} />
      {open && !searching && (
        <div className={cx("min-h-0 flex-1 flex-col border-t border-line pt-3", aside ? "hidden" : "flex")}>
          <Rail model={model} />
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
