"use client"
import Link from "next/link"
import { usePathname } from "next/navigation"

const TABS = [
  { href: "/", label: "Recordings" },
  { href: "/documents", label: "Documents" },
]

/** The two parts of the library. */
export const LibraryTabs = () => {
  const path = usePathname()
  return (
    <nav aria-label="Library" className="-mx-1 mb-4 flex gap-1">
      {TABS.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          prefetch={false}
          aria-current={path === href ? "page" : undefined}
          className="border-b-2 border-transparent px-1 pb-1 text-sm font-[560] text-muted transition not-last:mr-4 hover:text-ink aria-[current]:border-accent aria-[current]:text-ink max-sm:min-h-11 max-sm:content-center"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
