import type { ClipSpeaker, ClipSpeakerPatch } from "#lib/api/client/types.ts"
import { cx } from "../../ui/cx.ts"

type RecognitionProps = {
  /** Undefined until it is loaded. */
  speaker: ClipSpeaker | undefined
  disabled: boolean
  onChange: (patch: ClipSpeakerPatch) => void
}

const ACTION =
  "inline-flex min-h-6 items-center rounded-sm font-[560] text-accent underline-offset-4 hover:underline disabled:opacity-45 max-sm:min-h-11"

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
      </p>
    )
  if (person || !suggestion) return null
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
