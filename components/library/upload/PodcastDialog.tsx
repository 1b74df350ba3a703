"use client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Episode } from "#lib/domain/feeds.ts"
import { client, errorMessage } from "../../api/client.ts"
import { useClipIds } from "../../api/clips.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { formatClock, formatCount } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { useExclusiveMutation } from "../../ui/use-exclusive-mutation.ts"
import type { Source } from "./sources.ts"

/** The service lists at most 1000 episodes. */
const MAX_EPISODES = 1000
const INITIALLY_SHOWN = 100

const formatDate = (iso: string | null): string =>
  iso === null ? "" : new Date(iso).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" })

type EpisodeRowProps = { episode: Episode; isInLibrary: boolean; isSelected: boolean; onToggle: () => void }

const EpisodeRow = ({ episode, isInLibrary, isSelected, onToggle }: EpisodeRowProps) => (
  <li>
    <label className="flex cursor-pointer items-center gap-3 rounded-md px-2 py-2 transition hover:bg-accent-wash">
      <input type="checkbox" checked={isSelected} onChange={onToggle} className="size-4 shrink-0 accent-accent" />
      <span className="flex min-w-0 flex-1 gap-x-3 max-sm:flex-col sm:items-center">
        <bdi className="min-w-0 flex-1 truncate text-sm font-[560]" title={episode.title}>
          {episode.title}
        </bdi>
        <span className="numeric shrink-0 text-xs text-muted">
          {[
            isInLibrary ? "In your library" : "",
            formatDate(episode.published_at),
            episode.duration_s === null ? "" : formatClock(episode.duration_s),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
    </label>
  </li>
)

type PodcastDialogProps = {
  url: string
  onClose: () => void
  /** Rejects if no episode was accepted. */
  onAdd: (sources: Source[]) => Promise<unknown>
}

/** Lets the user select episodes of a podcast feed. Each episode becomes a recording with its own title. */
export const PodcastDialog = ({ url, onClose, onAdd }: PodcastDialogProps) => {
  const feed = useQuery({
    queryKey: queryKeys.feed(url),
    queryFn: ({ signal }) => client.feed({ url, limit: MAX_EPISODES }, { signal }),
    retry: false,
    staleTime: 60_000,
  })
  const libraryIds = useClipIds()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [showAll, setShowAll] = useState(false)
  const add = useExclusiveMutation({ mutationFn: onAdd, onSuccess: onClose })
  const episodes = feed.data?.episodes ?? []
  const shown = showAll ? episodes : episodes.slice(0, INITIALLY_SHOWN)
  const total = feed.data?.total ?? 0
  const toggle = (source: string) =>
    setSelected((before) => {
      const next = new Set(before)
      if (!next.delete(source)) next.add(source)
      return next
    })
  return (
    <Dialog open onClose={onClose} wide title={feed.data?.title || "Podcast"} lead={url}>
      <div className="grid grid-cols-1 gap-3">
        {feed.isPending && <p className="animate-pulse text-sm text-muted">Loading the feed…</p>}
        {feed.isError && <Notice onRetry={() => feed.refetch()}>{errorMessage(feed.error)}</Notice>}
        {feed.isSuccess && episodes.length === 0 && (
          <p className="text-sm text-muted">This podcast has no episodes with audio.</p>
        )}
        <ul className="grid grid-cols-1 gap-0.5">
          {shown.map((episode) => (
            <EpisodeRow
              key={episode.url}
              episode={episode}
              isInLibrary={libraryIds.has(episode.session_id)}
              isSelected={selected.has(episode.url)}
              onToggle={() => toggle(episode.url)}
            />
          ))}
        </ul>
        {shown.length < total && (
          <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 text-sm text-muted">
            <p role="status">
              Showing {shown.length} of {formatCount(total, "episode")}
              {showAll && `. Only the newest ${MAX_EPISODES} episodes are available`}
            </p>
            {!showAll && (
              <Button icon="down" onClick={() => setShowAll(true)}>
                Show {episodes.length - shown.length} more
              </Button>
            )}
          </div>
        )}
        {add.isError && <Notice>Couldn't add the episodes. {errorMessage(add.error)}</Notice>}
        {episodes.length > 0 && (
          <div className="sticky -bottom-5 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-5 py-3">
            <Button
              variant="quiet"
              className="mr-auto"
              onClick={() => setSelected(new Set(selected.size >= shown.length ? [] : shown.map((e) => e.url)))}
            >
              {selected.size >= shown.length
                ? "Clear selection"
                : shown.length < total
                  ? `Select first ${shown.length}`
                  : "Select all"}
            </Button>
            <Button
              variant="primary"
              disabled={selected.size === 0 || add.isPending}
              onClick={() =>
                add.mutate(episodes.flatMap((e) => (selected.has(e.url) ? [{ source: e.url, title: e.title }] : [])))
              }
            >
              Add {formatCount(selected.size, "episode")}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
