"use client"
import Link from "next/link"
import { usePathname } from "next/navigation"
import { cx } from "../ui/cx.ts"
import { Icon } from "../ui/Icon.tsx"
import { isCurrentNavItem, NAV_ITEMS, type NavItem } from "./navigation.ts"

const NavLink = ({ place, className, withIcon = false }: { place: NavItem; className: string; withIcon?: boolean }) => (
  <Link
    href={place.href}
    prefetch={false}
    aria-current={isCurrentNavItem(usePathname(), place) ? "page" : undefined}
    className={cx("font-[560] text-muted", className)}
  >
    {withIcon && <Icon name={place.icon} size={21} />}
    {place.label}
  </Link>
)

/** The navigation links as a row. */
export const NavLinks = ({ className, small = false }: { className?: string; small?: boolean }) => (
  <nav aria-label="Main" className={cx("flex items-center gap-0.5", className)}>
    {NAV_ITEMS.map((place) => (
      <NavLink
        key={place.href}
        place={place}
        className={cx(
          "rounded-full text-sm transition hover:text-ink aria-[current]:bg-accent-wash aria-[current]:text-ink",
          small ? "px-2.5 py-1" : "px-3 py-1.5",
        )}
      />
    ))}
  </nav>
)

/** The navigation at the bottom of the screen, for phones. */
export const BottomNav = ({ className }: { className?: string }) => (
  <nav
    aria-label="Main"
    className={cx(
      "fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-panel pb-[env(safe-area-inset-bottom)]",
      className,
    )}
  >
    {NAV_ITEMS.map((place) => (
      <NavLink
        key={place.href}
        place={place}
        withIcon
        className="flex flex-1 flex-col items-center gap-0.5 pt-2 pb-1.5 text-xs aria-[current]:text-accent"
      />
    ))}
  </nav>
)
