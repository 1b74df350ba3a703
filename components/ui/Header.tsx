import Link from "next/link"
import { cx } from "./cx.ts"
import { Icon } from "./Icon.tsx"
import { Logo } from "./Logo.tsx"

/** The line at the top of every page. `here` is the page it stands on. */
export const Header = ({ here }: { here?: "library" }) => (
  <header className="mx-auto flex h-16 w-full max-w-[68rem] items-center justify-between px-5 sm:px-8">
    <Link
      href="/"
      aria-label="Earmark, home"
      className="flex rounded-sm"
      {...(here === "library" && { "aria-current": "page" })}
    >
      <Logo />
    </Link>
    <nav aria-label="Main" className="-mr-3.5">
      <Link
        href="/viz"
        prefetch={false}
        className={cx(
          "inline-flex h-9 items-center gap-1.5 rounded-full px-3.5 text-sm font-[560] text-soft transition hover:bg-accent-wash hover:text-ink",
        )}
      >
        <Icon name="map" size={18} />
        Map
      </Link>
    </nav>
  </header>
)
