import type { IconName } from "../ui/Icon.tsx"

export type NavItem = { readonly href: string; readonly label: string; readonly icon: IconName }

/** Where one can go from everywhere. */
export const NAV_ITEMS: readonly NavItem[] = [
  { href: "/", label: "Library", icon: "shelf" },
  { href: "/viz", label: "Map", icon: "map" },
  { href: "/ask", label: "Ask", icon: "chat" },
  { href: "/status", label: "Status", icon: "pulse" },
]

/** Whether a page lies in a place: a recording lies in the library. */
export const isCurrentNavItem = (pathname: string, { href }: NavItem): boolean =>
  href === "/"
    ? pathname === "/" || pathname.startsWith("/library/")
    : pathname === href || pathname.startsWith(`${href}/`)
