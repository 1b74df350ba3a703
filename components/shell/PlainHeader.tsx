import { Logo } from "../ui/Logo.tsx"
import { PLACES } from "./places.ts"

/**
 * The line at the top where a page could not be made: plain links, which load everything anew. Every page carries what
 * its errors are shown with, so that is little.
 */
export const PlainHeader = () => (
  <header className="mx-auto flex h-14 w-full max-w-[72rem] shrink-0 items-center gap-2 px-4 sm:gap-6 sm:px-8">
    <a href="/" aria-label="Earmark, home" className="flex rounded-sm">
      <Logo />
    </a>
    <nav aria-label="Main" className="flex flex-1 items-center gap-0.5 max-sm:justify-end">
      {PLACES.map(({ href, label }) => (
        <a
          key={href}
          href={href}
          className="rounded-full px-3 py-1.5 text-sm font-[560] text-muted transition hover:text-ink max-sm:px-2"
        >
          {label}
        </a>
      ))}
    </nav>
  </header>
)
