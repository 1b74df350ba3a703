"use client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Episode } from "#lib/domain/feeds.ts"
import { client, errorMessage } from "../../api/client.ts"
import { useClips } from "../../api/clips.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { formatClock, formatCount } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { useExclusiveMutation } from "../../ui/use-exclusive-mutation.ts"
import type { Source } from "../list/library-filters.ts"

/** Episodes asked for, the most that the service lists, and of these so many in sight at first. */
const MAX_EPISODES = 1000
const INITIALLY_SHOWN = 100

const formatDate = (iso: string | null): string =>
  iso === null ? "" : new Date(iso).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" })

type EpisodeRowProps = { episode: Episode; isInLibrary: boolean; isSelected: boolean; onToggle: () => void }

const EpisodeRow = ({ episode, isInLibrary: here, isSelected: chosen, onToggle }: EpisodeRowProps) => (
  <li>
    <label className="flex cursor-pointer items-center gap-3 rounded-md px-2 py-2 transition hover:bg-accent-wash">
      <input type="checkbox" checked={chosen} onChange={onToggle} className="size-4 shrink-0 accent-accent" />
      <span className="flex min-w-0 flex-1 gap-x-3 max-sm:flex-col sm:items-center">
        <bdi className="min-w-0 flex-1 truncate text-sm font-[560]" title={episode.title}>
          {episode.title}
        </bdi>
        <span className="numeric shrink-0 text-xs text-muted">
          {[
            here ? "in your library" : "",
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
  /** Rejects when none was taken. */
  onAdd: (sources: Source[]) => Promise<unknown>
}

/** The episodes of a podcast, to be chosen from; each comes into the library under its own title. */
export const PodcastDialog = ({ url, onClose, onAdd }: PodcastDialogProps) => {
  const feed = useQuery({
    queryKey: ["feed", url],
    queryFn: ({ signal }) => client.feed({ url, limit: MAX_EPISODES }, { signal }),
    retry: false,
    staleTime: 60_000,
  })
  const here = new Set(useClips().data?.pages.flatMap((page) => page.clips.map((clip) => clip.id)))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState(false)
  const add = useExclusiveMutation({ mutationFn: onAdd, onSuccess: onClose })
  const episodes = feed.data?.episodes ?? []
  const shown = all ? episodes : episodes.slice(0, INITIALLY_SHOWN)
  const total = feed.data?.total ?? 0
  const toggle = (source: string) =>
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(source)) next.add(source)
      return next
    })
  return (
    <Dialog open onClose={onClose} wide title={feed.data?.title || "Podcast"} lead={url}>
      <div className="grid grid-cols-1 gap-3">
        {feed.isPending && <p className="animate-breathe text-sm text-muted">Reading the feed…</p>}
        {feed.isError && <Notice onRetry={() => feed.refetch()}>{errorMessage(feed.error)}</Notice>}
        {feed.isSuccess && episodes.length === 0 && (
          <p className="text-sm text-muted">It has no episodes with sound.</p>
        )}
        <ul className="grid grid-cols-1 gap-0.5">
          {shown.map((episode) => (
            <EpisodeRow
              key={episode.url}
              episode={episode}
              isInLibrary={here.has(episode.session_id)}
              isSelected={chosen.has(episode.url)}
              onToggle={() => toggle(episode.url)}
            />
          ))}
        </ul>
        {shown.length < total && (
          <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 text-sm text-muted">
            <p role="status">
              The first {shown.length} of {formatCount(total, "episode")}
              {all && `; more than ${MAX_EPISODES} are not listed`}
            </p>
            {!all && (
              <Button icon="down" onClick={() => setAll(true)}>
                Show {episodes.length - shown.length} more
              </Button>
            )}
          </div>
        )}
        {add.isError && <Notice>Not added: {errorMessage(add.error)}</Notice>}
        {episodes.length > 0 && (
          <div className="sticky -bottom-5 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-5 py-3">
            <Button
              variant="quiet"
              className="mr-auto"
              onClick={() => setChosen(new Set(chosen.size >= shown.length ? [] : shown.map((e) => e.url)))}
            >
              {chosen.size >= shown.length
                ? "Choose none"
                : `Choose ${shown.length < total ? `these ${shown.length}` : "all"}`}
            </Button>
            <Button
              variant="primary"
              disabled={chosen.size === 0 || add.isPending}
              onClick={() =>
                add.mutate(episodes.flatMap((e) => (chosen.has(e.url) ? [{ source: e.url, title: e.title }] : [])))
              }
            >
              Add {formatCount(chosen.size, "episode")}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
