"use client"
import { openReplaceDialog } from "../../replace/replace-dialog-store.ts"
import { IconButton } from "../../ui/Button.tsx"
import { useRecording } from "../recording-context.ts"
import { openSpeakersDialog } from "../speakers/speakers-dialog-store.ts"
import { FindBar } from "./FindBar.tsx"
import type { Find } from "./use-find.ts"

type TranscriptBarProps = { find: Find; hidesFillers: boolean; onHideFillers: (hides: boolean) => void }

/** The tools of the transcript: search, fillers, speakers. Stays below the timeline while the page scrolls. */
export const TranscriptBar = ({ find, hidesFillers, onHideFillers }: TranscriptBarProps) => {
  const { areSpeakersKnown } = useRecording()
  return (
    <div className="sticky top-[var(--sticky-top)] z-10 -mx-4 border-b border-line bg-paper px-4 sm:mx-0 sm:px-0">
      <div className="mx-auto flex max-w-[47rem] items-center">
        <FindBar find={find} />
        <IconButton
          name="replace"
          label="Find and replace"
          onClick={() => openReplaceDialog(find.query)}
          className="max-sm:size-11"
        />
        <IconButton
          name="filler"
          label="Hide fillers such as “um”"
          aria-pressed={hidesFillers}
          onClick={() => onHideFillers(!hidesFillers)}
          className="max-sm:size-11"
        />
        {areSpeakersKnown && (
          <IconButton name="people" label="Speakers" onClick={() => openSpeakersDialog()} className="max-sm:size-11" />
        )}
      </div>
    </div>
  )
}
