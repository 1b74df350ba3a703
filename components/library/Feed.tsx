"use client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client, sentence } from "../api.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { clock, count } from "../ui/format.ts"
import { Notice } from "../ui/Notice.tsx"
import { useClips } from "./clips-data.ts"

type FeedProps = {
  url: string
  onClose: () => void
  /** Rejects when none was taken. */
  onAdd: (sources: string[]) => Promise<unknown>
}

const day = (iso: string | null): string =>
  iso === null ? "" : new Date(iso).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" })

/** The episodes of a podcast, to be chosen from. */
export const Feed = ({ url, onClose, onAdd }: FeedProps) => {
  const feed = useQuery({
    queryKey: ["feed", url],
    queryFn: ({ signal }) => client.feed({ url }, { signal }),
    retry: false,
    staleTime: 60_000,
  })
  const here = new Set(useClips().data?.pages.flatMap((page) => page.clips.map((clip) => clip.id)))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const add = useMutation({ mutationFn: onAdd, onSuccess: onClose })
  const episodes = feed.data?.episodes ?? []
  const toggle = (source: string) =>
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(source)) next.add(source)
      return next
    })
  return (
    <Dialog open onClose={onClose} wide title={feed.data?.title || "Podcast"} lead={url}>
      <div className="grid gap-3">
        {feed.isPending && <p className="animate-breathe text-sm text-muted">Reading the feed…</p>}
        {feed.isError && <Notice onRetry={() => feed.refetch()}>{sentence(feed.error)}</Notice>}
        {feed.isSuccess && episodes.length === 0 && (
          <p className="text-sm text-muted">It has no episodes with sound.</p>
        )}
        <ul className="grid gap-0.5">
          {episodes.map((episode) => (
            <li key={episode.url}>
              <label className="flex cursor-pointer items-center gap-3 rounded-md px-2 py-2 transition hover:bg-accent-wash">
                <input
                  type="checkbox"
                  checked={chosen.has(episode.url)}
                  onChange={() => toggle(episode.url)}
                  className="size-4 shrink-0 accent-accent"
                />
                <bdi className="min-w-0 flex-1 truncate text-sm font-[560]">{episode.title}</bdi>
                <span className="numeric shrink-0 text-xs text-muted">
                  {[
                    here.has(episode.session_id) ? "in your library" : "",
                    day(episode.published_at),
                    episode.duration_s === null ? "" : clock(episode.duration_s),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </label>
            </li>
          ))}
        </ul>
        {add.isError && <Notice>Not added: {sentence(add.error)}</Notice>}
        {episodes.length > 0 && (
          <div className="sticky -bottom-5 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-5 py-3">
            <Button
              look="quiet"
              className="mr-auto"
              onClick={() => setChosen(new Set(chosen.size === episodes.length ? [] : episodes.map((e) => e.url)))}
            >
              {chosen.size === episodes.length ? "Choose none" : "Choose all"}
            </Button>
            <Button
              look="primary"
              disabled={chosen.size === 0 || add.isPending}
              onClick={() => add.mutate(episodes.flatMap((e) => (chosen.has(e.url) ? [e.url] : [])))}
            >
              Add {count(chosen.size, "episode")}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
