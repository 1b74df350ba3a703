import type { IconName } from "../ui/Icon.tsx"

export type NavItem = { readonly href: string; readonly label: string; readonly icon: IconName }

export const NAV_ITEMS: readonly NavItem[] = [
  { href: "/", label: "Library", icon: "library" },
  { href: "/viz", label: "Map", icon: "map" },
  { href: "/ask", label: "Ask", icon: "chat" },
  { href: "/settings", label: "Settings", icon: "settings" },
]

/** Returns true if a path belongs to a navigation item. Recordings and documents belong to the library. */
export const isCurrentNavItem = (pathname: string, { href }: NavItem): boolean =>
  href === "/"
    ? pathname === "/" || /^\/(?:library|documents)(?:\/|$)/.test(pathname)
    : pathname === href || pathname.startsWith(`${href}/`)
