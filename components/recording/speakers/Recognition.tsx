import Link from "next/link"
import type { ClipSpeaker, ClipSpeakerPatch } from "#lib/api/client/types.ts"
import { getPersonHref } from "../../people/minutes.ts"
import { cx } from "../../ui/cx.ts"
import { closeSpeakersDialog } from "./speakers-dialog-store.ts"

type RecognitionProps = {
  /** Undefined until it is loaded. */
  speaker: ClipSpeaker | undefined
  disabled: boolean
  onChange: (patch: ClipSpeakerPatch) => void
}

const ACTION =
  "inline-flex min-h-6 items-center rounded-sm font-[560] text-accent underline-offset-4 hover:underline disabled:opacity-45 max-sm:min-h-11"

const PersonLink = ({ id, name }: { id: string; name: string }) => (
  <Link href={getPersonHref(id)} prefetch={false} onClick={closeSpeakersDialog} className={cx(ACTION, "text-soft")}>
    All recordings of {name}
  </Link>
)

/** Marks the name of a speaker that was applied automatically, or suggests the most similar person. */
export const Recognition = ({ speaker, disabled, onChange }: RecognitionProps) => {
  const { person, suggestions: [suggestion] = [] } = speaker ?? { person: null }
  if (person?.state === "automatic")
    return (
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-muted">
        <span className="rounded-full bg-accent-wash px-2 py-0.5 font-[560] text-accent">Recognized</span>
        <button type="button" className={ACTION} disabled={disabled} onClick={() => onChange({ person_id: null })}>
          Not {person.name}
        </button>
        <PersonLink {...person} />
      </p>
    )
  if (person)
    return (
      <p className="text-xs">
        <PersonLink {...person} />
      </p>
    )
  if (!suggestion) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-xs text-muted">
      <span>Sounds like {suggestion.name}</span>
      <button
        type="button"
        className={ACTION}
        disabled={disabled}
        onClick={() => onChange({ person_id: suggestion.id })}
      >
        Use the name
      </button>
      <button
        type="button"
        className={cx(ACTION, "text-soft")}
        disabled={disabled}
        onClick={() => onChange({ rejected_person_id: suggestion.id })}
      >
        Not {suggestion.name}
      </button>
    </p>
  )
}
