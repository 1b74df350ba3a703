"use client"
import Link from "next/link"
import type { ReactNode } from "react"
import { errorMessage } from "../../api/client.ts"
import { Highlighted } from "../../search/Highlighted.tsx"
import { getRecordingHref, useLibrarySearch } from "../../search/use-library-search.ts"
import { formatClock } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"

const LIMIT = 20

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="grid gap-1">
    <h3 className="text-sm font-[600] text-muted">{title}</h3>
    <ul className="-mx-3 grid">{children}</ul>
  </section>
)

type HitProps = { href: string; text: ReactNode; subtitle?: ReactNode; start_s?: number }

const Hit = ({ href, text, subtitle, start_s }: HitProps) => (
  <li>
    <Link
      href={href}
      prefetch={false}
      className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 rounded-md px-3 py-2 transition hover:bg-accent-wash"
    >
      <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
      {start_s !== undefined && <span className="numeric text-sm text-accent">{formatClock(start_s)}</span>}
      {subtitle && <span className="truncate text-sm text-muted">{subtitle}</span>}
    </Link>
  </li>
)

/** Search results grouped by recordings, topics and transcripts. */
export const SearchResults = ({ query }: { query: string }) => {
  const found = useLibrarySearch(query, LIMIT)
  if (found.isError) return <Notice onRetry={() => found.refetch()}>{errorMessage(found.error)}</Notice>
  if (!found.data)
    return (
      <p role="status" className="animate-pulse py-6 text-sm text-muted">
        Searching…
      </p>
    )
  const { titles, topics, words } = found.data
  if (titles.length + topics.length + words.length === 0)
    return (
      <p role="status" className="py-6 text-muted">
        No results for “{query.trim()}”.{" "}
        <Link href={`/viz?q=${encodeURIComponent(query.trim())}`} className="text-accent underline underline-offset-3">
          Search the map
        </Link>
        .
      </p>
    )
  return (
    <div className="grid gap-6">
      {titles.length > 0 && (
        <Group title="Recordings">
          {titles.map((hit) => (
            <Hit key={hit.clip_id} href={getRecordingHref(hit.clip_id)} text={<Highlighted {...hit} />} />
          ))}
        </Group>
      )}
      {topics.length > 0 && (
        <Group title="Topics">
          {topics.map((hit) => (
            <Hit
              key={`${hit.clip_id} ${hit.number}`}
              href={getRecordingHref(hit.clip_id, hit.start_s)}
              start_s={hit.start_s}
              text={
                hit.text === hit.title ? (
                  <Highlighted {...hit} />
                ) : (
                  <>
                    <bdi className="font-[560]">{hit.title}</bdi>
                    <span className="text-soft">
                      {" — "}
                      <Highlighted {...hit} />
                    </span>
                  </>
                )
              }
              subtitle={<bdi>{hit.clip_title}</bdi>}
            />
          ))}
        </Group>
      )}
      {words.length > 0 && (
        <Group title="Transcripts">
          {words.map((hit, i) => (
            <Hit
              // biome-ignore lint/suspicious/noArrayIndexKey: two hits may have the same time, and the list is replaced as a whole
              key={`${hit.clip_id} ${hit.start_s} ${i}`}
              href={getRecordingHref(hit.clip_id, hit.start_s)}
              start_s={hit.start_s}
              text={<Highlighted {...hit} />}
              subtitle={<bdi>{hit.clip_title}</bdi>}
            />
          ))}
        </Group>
      )}
    </div>
  )
}
