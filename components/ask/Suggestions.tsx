"use client"
import { useQuery } from "@tanstack/react-query"
import type { ListedClip } from "#lib/domain/clips.ts"
import type { ClipFacets } from "#lib/domain/tags.ts"
import { client } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"
import { Icon } from "../ui/Icon.tsx"
import { CHIP_ICONS, type Chip } from "./scope-chips.ts"
import { useFacets } from "./scope-options.ts"

export type Suggestion = { readonly question: string; readonly chip: Chip }

/** The number of suggestions, and how many of them are about regions. */
const MAX_SUGGESTIONS = 4
const MAX_OF_REGIONS = 2

/** Returns the longest topic of a recording, apart from the recording as a whole. */
const findMainTopic = ({ strip }: Pick<ListedClip, "strip">): string | null =>
  strip.reduce<ListedClip["strip"][number] | null>((a, b) => (a && a.duration_s >= b.duration_s ? a : b), null)
    ?.title ?? null

/** Makes questions from the largest regions of the map and the newest recordings. */
export const suggestQuestions = (
  subjects: ClipFacets["subjects"],
  clips: readonly Pick<ListedClip, "id" | "title" | "strip">[],
): Suggestion[] => {
  const ofRegions = subjects.slice(0, MAX_OF_REGIONS).map(
    ({ name }): Suggestion => ({
      question: `What is said about ${name}?`,
      chip: { kind: "region", value: name, label: name },
    }),
  )
  const ofClips = clips.flatMap((clip): Suggestion[] => {
    const topic = findMainTopic(clip)
    return topic === null
      ? []
      : [{ question: `What is said about ${topic}?`, chip: { kind: "clip", value: clip.id, label: clip.title } }]
  })
  return [...ofRegions, ...ofClips].slice(0, MAX_SUGGESTIONS)
}

/** Questions to begin with. */
export const Suggestions = ({ onAsk }: { onAsk: (suggestion: Suggestion) => void }) => {
  const facets = useFacets()
  const clips = useQuery({
    queryKey: queryKeys.suggestedClips,
    queryFn: async ({ signal }) => (await client.clips({ limit: MAX_SUGGESTIONS }, { signal })).clips,
  })
  const suggestions = suggestQuestions(facets.data?.subjects ?? [], clips.data ?? [])
  if (suggestions.length === 0) return null
  return (
    <section aria-label="Suggested questions" className="grid gap-2">
      <h2 className="text-sm font-[560] text-muted">Suggested questions</h2>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {suggestions.map((suggestion) => (
          <li key={`${suggestion.chip.kind} ${suggestion.question}`}>
            <button
              type="button"
              onClick={() => onAsk(suggestion)}
              className="grid h-full min-h-11 w-full gap-1 rounded-md border border-line bg-surface px-3.5 py-2.5 text-left transition hover:border-line-strong"
            >
              <bdi className="text-sm font-[560]">{suggestion.question}</bdi>
              <span className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
                <Icon name={CHIP_ICONS[suggestion.chip.kind]} size={13} className="shrink-0" />
                <bdi className="truncate">{suggestion.chip.label}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
