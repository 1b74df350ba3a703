"use client"
import { hueStyle, SPEAKER_HUE_OFFSET } from "../../ui/hues.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "../../ui/Menu.tsx"
import { useRecording } from "../recording-context.ts"
import { useWordEdits } from "../recording-data.ts"
import { getUnusedSpeakerId, type Speaker } from "../speakers/speakers.ts"
import { openSpeakersDialog } from "../speakers/speakers-dialog-store.ts"
import type { ParagraphSpan } from "./paragraphs.ts"
import { getWordRange } from "./word-edits.ts"

/** Rendered only while the menu is open, because a transcript has one menu per paragraph. */
const Items = ({ speaker, paragraph }: { speaker: Speaker; paragraph: ParagraphSpan }) => {
  const { clip, speakers } = useRecording()
  const correct = useWordEdits(clip.id)
  const assignTo = (speaker: string, name: string) =>
    correct.mutate({
      edits: [{ kind: "speaker", ...getWordRange(clip.transcription.slice(paragraph.first, paragraph.end)), speaker }],
      message: `Paragraph assigned to ${name}`,
    })
  return (
    <>
      <MenuItem icon="edit" onSelect={() => openSpeakersDialog(speaker.id)}>
        Rename {speaker.name}…
      </MenuItem>
      <MenuItem icon="people" onSelect={() => openSpeakersDialog()}>
        All speakers…
      </MenuItem>
      <MenuSeparator />
      <MenuGroup label="Assign paragraph to">
        {speakers
          .filter((other) => other.id !== speaker.id)
          .map((other) => (
            <MenuItem key={other.id} onSelect={() => assignTo(other.id, other.name)}>
              <span style={hueStyle(SPEAKER_HUE_OFFSET + other.rank)} className="inline-flex items-center gap-2">
                <span aria-hidden="true" className="size-2 rounded-full bg-tint" />
                {other.name}
              </span>
            </MenuItem>
          ))}
        <MenuItem icon="plus" onSelect={() => assignTo(getUnusedSpeakerId(speakers), "a new speaker")}>
          New speaker
        </MenuItem>
      </MenuGroup>
    </>
  )
}

/** Shows the speaker of a paragraph and lets the user rename or change it. */
export const SpeakerMenu = ({
  speaker,
  paragraph,
  small,
}: {
  speaker: Speaker
  paragraph: ParagraphSpan
  small?: boolean
}) => (
  <Menu
    trigger={
      small ? (
        <button
          type="button"
          aria-label={`Speaker: ${speaker.name}`}
          title={`Speaker: ${speaker.name}`}
          className="grid size-7 place-items-center rounded-full text-muted transition hover:bg-accent-wash hover:text-ink"
        >
          <Icon name="person" size={15} />
        </button>
      ) : (
        <button
          type="button"
          aria-label={`Speaker: ${speaker.name}`}
          className="-ml-1.5 inline-flex max-w-full min-h-6 items-center max-sm:min-h-7 gap-1.5 rounded-full px-1.5 text-sm font-[620] text-tint-ink transition hover:bg-accent-wash"
        >
          <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-tint" />
          <bdi className="truncate">{speaker.name}</bdi>
        </button>
      )
    }
  >
    <Items speaker={speaker} paragraph={paragraph} />
  </Menu>
)
