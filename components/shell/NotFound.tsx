import type { ReactNode } from "react"
import { Icon } from "../ui/Icon.tsx"

type NotFoundProps = {
  title: string
  children: ReactNode
  recent: readonly { readonly id: string; readonly title: string }[]
}

/** What is shown in place of a page or recording that does not exist. It works without scripts. */
export const NotFound = ({ title, children, recent }: NotFoundProps) => (
  <div className="grid max-w-xl gap-6 pt-10 sm:pt-16">
    <div className="grid gap-2">
      <h1 className="text-2xl font-[640]">{title}</h1>
      <p className="text-soft">{children}</p>
    </div>
    <search>
      <form action="/" method="get" className="relative flex items-center">
        <Icon name="search" size={18} className="pointer-events-none absolute left-3.5 text-muted" />
        <input
          type="search"
          name="q"
          required
          maxLength={200}
          aria-label="Search titles, topics and transcripts"
          placeholder="Search titles, topics, transcripts"
          className="h-11 w-full rounded-full border border-line-strong bg-surface pr-4 pl-10.5"
        />
      </form>
    </search>
    {recent.length > 0 && (
      <nav aria-labelledby="recent-recordings" className="grid gap-1">
        <h2 id="recent-recordings" className="text-sm font-[600] text-muted">
          Recent recordings
        </h2>
        <ul className="-mx-3 grid">
          {recent.map(({ id, title: name }) => (
            <li key={id}>
              <a
                href={`/library/${encodeURIComponent(id)}`}
                className="flex items-center gap-3 rounded-md px-3 py-2.5 hover:bg-accent-wash"
              >
                <Icon name="wave" size={17} className="shrink-0 text-muted" />
                <bdi className="truncate">{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </nav>
    )}
    <a href="/" className="w-fit rounded-sm text-accent underline underline-offset-4">
      Go to library
    </a>
  </div>
)
