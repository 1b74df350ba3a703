"use client"
import Link from "next/link"
import { useSyncExternalStore } from "react"
import { cx } from "../ui/cx.ts"
import { Icon } from "../ui/Icon.tsx"
import { Logo } from "../ui/Logo.tsx"
import { BottomNav, NavLinks } from "./Navigation.tsx"
import { openPalette } from "./palette/palette-store.ts"

const never = () => () => {}
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform)

const SearchButton = () => {
  const apple = useSyncExternalStore(never, isApple, () => false)
  return (
    <button
      type="button"
      onClick={() => openPalette()}
      aria-keyshortcuts="Meta+K Control+K"
      className="inline-flex h-9 items-center gap-2 rounded-full border border-line px-3 text-sm text-muted transition hover:border-line-strong hover:text-ink max-sm:w-9 max-sm:justify-center max-sm:px-0"
    >
      <Icon name="search" size={16} />
      <span className="max-sm:sr-only">Search or jump to…</span>
      <kbd className="rounded-sm border border-line px-1.5 font-sans text-xs max-lg:hidden">
        {apple ? "⌘ K" : "Ctrl K"}
      </kbd>
    </button>
  )
}

/** The header of every page. On a phone, the navigation is at the bottom instead. */
export const Header = ({ wide = false }: { wide?: boolean }) => (
  <>
    <a
      href="#content"
      className="fixed top-2 left-2 z-60 -translate-y-20 rounded-full bg-accent px-4 py-2 text-sm font-[560] text-accent-ink focus-visible:translate-y-0"
    >
      Skip to content
    </a>
    <header
      className={cx(
        "mx-auto flex h-14 w-full shrink-0 items-center gap-2 px-4 sm:gap-6 sm:px-8",
        wide ? "max-w-[104rem]" : "max-w-[72rem]",
      )}
    >
      <Link href="/" aria-label="Earmark, home" className="flex rounded-sm">
        <Logo />
      </Link>
      <NavLinks className="flex-1 max-sm:hidden" />
      <div className="flex items-center gap-1 max-sm:ml-auto">
        <SearchButton />
      </div>
    </header>
    <BottomNav className="sm:hidden" />
  </>
)
