import { Icon } from "../ui/Icon.tsx"
import { Logo } from "../ui/Logo.tsx"
import { NAV_ITEMS } from "./navigation.ts"

/**
 * The header of error pages. Uses plain links, which reload the page. It is kept small because every page includes the code
 * of its error page.
 */
export const PlainHeader = () => (
  <header className="mx-auto flex h-14 w-full max-w-[72rem] shrink-0 items-center gap-2 px-4 sm:gap-6 sm:px-8">
    <a href="/" aria-label="Earmark, home" className="flex rounded-sm">
      <Logo />
    </a>
    <nav
      aria-label="Main"
      className="flex flex-1 items-center gap-0.5 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-30 max-sm:gap-0 max-sm:border-t max-sm:border-line max-sm:bg-panel max-sm:pb-[env(safe-area-inset-bottom)]"
    >
      {NAV_ITEMS.map(({ href, label, icon }) => (
        <a
          key={href}
          href={href}
          className="rounded-full px-3 py-1.5 text-sm font-[560] text-muted transition hover:text-ink max-sm:flex max-sm:flex-1 max-sm:flex-col max-sm:items-center max-sm:gap-0.5 max-sm:rounded-none max-sm:px-0 max-sm:pt-2 max-sm:text-xs"
        >
          <Icon name={icon} size={21} className="sm:hidden" />
          {label}
        </a>
      ))}
    </nav>
  </header>
)
