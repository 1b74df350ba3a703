"use client"
import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { useEffect } from "react"
import { client } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { IconButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Icon } from "../../ui/Icon.tsx"
import { loadOnboarding, updateOnboarding, useOnboarding } from "./onboarding.ts"

/** A library with more recordings belongs to somebody who knows the way. */
const MAX_CLIPS = 5

type Step = { readonly title: string; readonly href: string; readonly isDone: boolean; readonly onOpen?: () => void }

/** Three first steps. Shown in a small library until they are done or dismissed. */
export const Checklist = () => {
  const progress = useOnboarding((s) => s.progress)
  useEffect(() => void loadOnboarding(), [])
  const isOpen = progress !== null && !progress.isDismissed
  const clips = useQuery({
    queryKey: [...queryKeys.clips, "first"],
    queryFn: ({ signal }) => client.clips({ limit: MAX_CLIPS + 1 }, { signal }),
    enabled: isOpen,
    staleTime: 10_000,
  })
  const list = clips.data?.clips
  if (!isOpen || !list || list.length === 0 || list.length > MAX_CLIPS) return null
  const steps: readonly Step[] = [
    { title: "Add a recording", href: "/#add", isDone: true },
    {
      title: "Name a speaker",
      href: `/library/${list[0]!.id}`,
      isDone: list.some(({ speakers }) => Object.keys(speakers).length > 0),
    },
    {
      title: "Open the map",
      href: "/viz",
      isDone: progress.isMapOpened,
      onOpen: () => updateOnboarding({ isMapOpened: true }),
    },
  ]
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  return (
    <section
      aria-label="First steps"
      className="flex flex-wrap items-center gap-x-6 gap-y-1 rounded-lg border border-line bg-surface py-2 pr-2 pl-4"
    >
      <p className="text-sm font-[600]">
        First steps <span className="numeric font-[400] text-muted">{`${done} of ${steps.length}`}</span>
      </p>
      <ol className="flex min-w-0 flex-1 flex-wrap gap-x-5">
        {steps.map(({ title, href, isDone, onOpen }) => (
          <li key={title}>
            <Link
              href={href}
              {...(onOpen && { onClick: onOpen })}
              className={cx(
                "flex h-11 items-center gap-2 rounded-sm text-sm sm:h-9",
                isDone ? "text-muted line-through" : "font-[560] hover:text-accent",
              )}
            >
              <span
                aria-hidden="true"
                className={cx(
                  "grid size-5 place-items-center rounded-full border",
                  isDone ? "border-good text-good" : "border-line-strong",
                )}
              >
                {isDone && <Icon name="check" size={13} />}
              </span>
              {title}
              {isDone && <span className="sr-only"> (done)</span>}
            </Link>
          </li>
        ))}
      </ol>
      <IconButton
        name="close"
        label="Dismiss the first steps"
        onClick={() => updateOnboarding({ isDismissed: true })}
      />
    </section>
  )
}
