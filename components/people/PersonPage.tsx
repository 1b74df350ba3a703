"use client"
import Link from "next/link"
import { useRouter } from "next/navigation"
import { useState } from "react"
import { EarmarkError } from "#lib/api/client/errors.ts"
import type { PersonClip } from "#lib/api/client/types.ts"
import { errorMessage } from "../api/client.ts"
import { usePerson, usePersonActions, usePersonClips, useSuggestedSpeakers } from "../api/people.ts"
import { getRecordingHref } from "../search/use-library-search.ts"
import { NotFound } from "../shell/NotFound.tsx"
import { Button } from "../ui/Button.tsx"
import { formatCount } from "../ui/format.ts"
import { lazyWithRetry } from "../ui/lazy-with-retry.tsx"
import { Notice } from "../ui/Notice.tsx"
import { formatMinutes, getPersonHref } from "./minutes.ts"
import { PersonMenu } from "./PersonMenu.tsx"
import { PersonSearch } from "./PersonSearch.tsx"

const SplitDialog = lazyWithRetry(() => import("./SplitDialog.tsx").then((m) => m.SplitDialog), {
  overlay: true,
  onDismiss: ({ onClose }) => onClose(),
})

const LINK = "inline-flex min-h-6 max-w-full items-center rounded-sm font-[560] hover:text-accent max-sm:min-h-11"

/** Speakers without a name who may be the person. */
const Suggestions = ({ id, name }: { id: string; name: string }) => {
  const { data } = useSuggestedSpeakers(id)
  const { answer } = usePersonActions(id)
  if (!data || data.speakers.length === 0) return null
  return (
    <section aria-labelledby="suggestions" className="grid gap-1 rounded-lg border border-line bg-surface p-4">
      <h2 id="suggestions" className="font-[620]">
        Sounds like {name}
      </h2>
      {answer.isError && <Notice>{errorMessage(answer.error)}</Notice>}
      <ul className="grid">
        {data.speakers.map(({ clip_id, clip_title, speaker }) => (
          <li key={`${clip_id} ${speaker}`} className="flex flex-wrap items-center gap-2 py-1">
            <span className="min-w-0 flex-1 basis-40">
              <Link href={getRecordingHref(clip_id)} prefetch={false} className={LINK}>
                <bdi className="truncate">{clip_title}</bdi>
              </Link>
            </span>
            <Button
              disabled={answer.isPending}
              onClick={() => answer.mutate({ clipId: clip_id, speaker, isPerson: true })}
            >
              Use the name
            </Button>
            <Button
              variant="quiet"
              disabled={answer.isPending}
              onClick={() => answer.mutate({ clipId: clip_id, speaker, isPerson: false })}
            >
              Not {name}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** `canSplit` is false for the only recording of a person: renaming does the same. */
const Recordings = ({ id, canSplit }: { id: string; canSplit: boolean }) => {
  const list = usePersonClips(id)
  const [toSplit, setToSplit] = useState<PersonClip | null>(null)
  const clips = list.data?.pages.flatMap((page) => page.clips) ?? []
  return (
    <section aria-labelledby="recordings" className="grid gap-2">
      <h2 id="recordings" className="font-[620]">
        Recordings
      </h2>
      {list.isError && <Notice onRetry={() => list.refetch()}>{errorMessage(list.error)}</Notice>}
      {list.isSuccess && clips.length === 0 && <p className="text-muted">No recordings.</p>}
      <ul className="grid divide-y divide-line">
        {clips.map((clip) => (
          <li key={clip.clip_id} className="grid gap-1 py-2.5">
            <div className="flex flex-wrap items-center gap-2">
              <span className="min-w-0 flex-1 basis-40">
                <Link href={getRecordingHref(clip.clip_id)} prefetch={false} className={LINK}>
                  <bdi className="truncate">{clip.clip_title}</bdi>
                </Link>
              </span>
              {clip.speakers.some(({ state }) => state === "automatic") && (
                <span className="rounded-full bg-accent-wash px-2 py-0.5 text-xs font-[560] text-accent">
                  Recognized
                </span>
              )}
              <span className="numeric text-sm text-muted">
                {formatMinutes(clip.speakers.reduce((sum, { speaking_s }) => sum + speaking_s, 0))}
              </span>
              {canSplit && (
                <Button
                  variant="quiet"
                  aria-label={`Split off ${clip.clip_title}`}
                  onClick={() => setToSplit(clip)}
                  className="max-sm:h-11"
                >
                  Split off…
                </Button>
              )}
            </div>
            {clip.topics.length > 0 && (
              <ul className="flex flex-wrap gap-x-3 text-sm text-soft">
                {clip.topics.map((topic) => (
                  <li key={topic.number} className="min-w-0">
                    <Link
                      href={getRecordingHref(clip.clip_id, topic.start_s)}
                      prefetch={false}
                      className="inline-flex min-h-6 max-w-full items-center rounded-sm hover:text-accent max-sm:min-h-11"
                    >
                      <bdi className="truncate">{topic.title}</bdi>
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button className="justify-self-center" disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          Show more
        </Button>
      )}
      {toSplit && <SplitDialog personId={id} clip={toSplit} onClose={() => setToSplit(null)} />}
    </section>
  )
}

/** A person: recordings with minutes and topics, what the person says about something, and who else may be the person. */
export const PersonPage = ({ id }: { id: string }) => {
  const router = useRouter()
  const { data: person, error, refetch } = usePerson(id)
  // A merged person is gone before the page of the other one is loaded.
  const [isLeft, setIsLeft] = useState(false)
  if (isLeft) return null
  if (error instanceof EarmarkError && error.status === 404)
    return (
      <NotFound title="Person not found" recent={[]}>
        The person may have been deleted or merged.
      </NotFound>
    )
  if (error && !person) return <Notice onRetry={() => refetch()}>{errorMessage(error)}</Notice>
  if (!person) return <p className="text-muted">Loading…</p>
  return (
    <div className="mx-auto grid w-full max-w-[47rem] grid-cols-1 gap-5">
      <div>
        <Link
          href="/library/people"
          prefetch={false}
          className="inline-flex min-h-6 items-center rounded-sm text-sm text-muted hover:text-ink max-sm:min-h-11"
        >
          People
        </Link>
        <div className="flex items-center gap-3">
          <h1 className="min-w-0 flex-1 text-2xl font-[640] wrap-anywhere">
            <bdi>{person.name}</bdi>
          </h1>
          <PersonMenu
            person={person}
            onGone={(remaining) => {
              setIsLeft(true)
              router.push(remaining ? getPersonHref(remaining.id) : "/library/people")
            }}
          />
        </div>
        <p className="numeric text-sm text-muted">
          {formatCount(person.clips, "recording")} · {formatMinutes(person.speaking_s)}
        </p>
      </div>
      <Suggestions id={id} name={person.name} />
      <PersonSearch id={id} name={person.name} />
      <Recordings id={id} canSplit={person.clips > 1} />
    </div>
  )
}
