import type { ReplacementHit } from "#lib/domain/replacements.ts"
import { formatClock } from "../ui/format.ts"
import type { FoundHits } from "./use-preview-hits.ts"

export const keyOfHit = ({ clip_id, start_s, speaker }: ReplacementHit): string => `${clip_id} ${speaker} ${start_s}`

type HitListProps = {
  clips: FoundHits["clips"]
  /** True if the titles of the recordings are shown. */
  withTitles: boolean
  excluded: ReadonlySet<string>
  onToggle: (hits: readonly ReplacementHit[], isIncluded: boolean) => void
}

const HitRow = ({ hit, isIncluded, onToggle }: { hit: ReplacementHit; isIncluded: boolean; onToggle: () => void }) => (
  <li className="[contain-intrinsic-size:auto_3.25rem] [content-visibility:auto]">
    <label className="flex items-start gap-3 rounded-md px-2 py-1.5 hover:bg-accent-wash max-sm:min-h-11">
      <input type="checkbox" checked={isIncluded} onChange={onToggle} className="mt-1 size-4 shrink-0 accent-accent" />
      <span className="min-w-0 flex-1 text-sm leading-6 [overflow-wrap:anywhere] text-muted">
        {hit.before} <del className="text-ink decoration-bad decoration-2">{hit.text}</del>{" "}
        {hit.replacement !== "" && (
          <ins className="rounded-sm bg-accent-wash px-0.5 font-[620] text-ink no-underline">{hit.replacement}</ins>
        )}{" "}
        {hit.after}
      </span>
      <span className="numeric text-xs leading-6 text-muted">{formatClock(hit.start_s)}</span>
    </label>
  </li>
)

/** The hits of a preview with the words around them, each with a box that includes it. */
export const HitList = ({ clips, withTitles, excluded, onToggle }: HitListProps) =>
  clips.map(({ clip_id, title, hits }) => {
    const included = hits.filter((hit) => !excluded.has(keyOfHit(hit))).length
    return (
      <section key={clip_id} aria-label={title} className="grid grid-cols-1">
        {withTitles && (
          <h3>
            <label className="flex items-center gap-3 px-2 py-1.5 max-sm:min-h-11">
              <input
                type="checkbox"
                checked={included === hits.length}
                ref={(box) => {
                  if (box) box.indeterminate = included > 0 && included < hits.length
                }}
                onChange={() => onToggle(hits, included < hits.length)}
                className="size-4 shrink-0 accent-accent"
              />
              <bdi className="min-w-0 flex-1 truncate font-[620]">{title}</bdi>
              <span className="numeric text-xs text-muted">{hits.length}</span>
            </label>
          </h3>
        )}
        <ul className="grid grid-cols-1">
          {hits.map((hit) => (
            <HitRow
              key={keyOfHit(hit)}
              hit={hit}
              isIncluded={!excluded.has(keyOfHit(hit))}
              onToggle={() => onToggle([hit], excluded.has(keyOfHit(hit)))}
            />
          ))}
        </ul>
      </section>
    )
  })
