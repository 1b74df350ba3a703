"use client"
import { hueStyle, VOICE_HUE } from "../../ui/hues.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Menu, MenuGroup, MenuItem, MenuLine } from "../../ui/Menu.tsx"
import { useRecording } from "../context.ts"
import { useCorrect } from "../data.ts"
import { freshVoice, type Voice } from "../speakers/speakers.ts"
import { openVoices } from "../speakers/speakers-dialog-store.ts"
import type { Block } from "./blocks.ts"
import { spanOf } from "./correction.ts"

/** Made when the menu opens: a transcript has a menu a paragraph, and each is scrolled past a thousand times. */
const Items = ({ voice, block }: { voice: Voice; block: Block }) => {
  const { clip, voices } = useRecording()
  const correct = useCorrect(clip.id)
  const give = (speaker: string, name: string) =>
    correct.mutate({
      edits: [{ kind: "speaker", ...spanOf(clip.transcription.slice(block.first, block.end)), speaker }],
      said: `This passage is now by ${name}`,
    })
  return (
    <>
      <MenuItem icon="edit" onSelect={() => openVoices(voice.id)}>
        Rename {voice.name}…
      </MenuItem>
      <MenuItem icon="people" onSelect={() => openVoices()}>
        All speakers…
      </MenuItem>
      <MenuLine />
      <MenuGroup label="This passage is by">
        {voices
          .filter((other) => other.id !== voice.id)
          .map((other) => (
            <MenuItem key={other.id} onSelect={() => give(other.id, other.name)}>
              <span style={hueStyle(VOICE_HUE + other.rank)} className="inline-flex items-center gap-2">
                <span aria-hidden="true" className="size-2 rounded-full bg-tint" />
                {other.name}
              </span>
            </MenuItem>
          ))}
        <MenuItem icon="plus" onSelect={() => give(freshVoice(voices), "a new speaker")}>
          A new speaker
        </MenuItem>
      </MenuGroup>
    </>
  )
}

/** Whose words a paragraph is: says it, and lets one say otherwise. */
export const SpeakerMenu = ({ voice, block, small }: { voice: Voice; block: Block; small?: boolean }) => (
  <Menu
    trigger={
      small ? (
        <button
          type="button"
          aria-label={`Speaker: ${voice.name}`}
          title={`Speaker: ${voice.name}`}
          className="grid size-7 place-items-center rounded-full text-muted transition hover:bg-accent-wash hover:text-ink"
        >
          <Icon name="person" size={15} />
        </button>
      ) : (
        <button
          type="button"
          aria-label={`Speaker: ${voice.name}`}
          className="-ml-1.5 inline-flex max-w-full min-h-6 items-center max-sm:min-h-7 gap-1.5 rounded-full px-1.5 text-sm font-[620] text-tint-ink transition hover:bg-accent-wash"
        >
          <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-tint" />
          <bdi className="truncate">{voice.name}</bdi>
        </button>
      )
    }
  >
    <Items voice={voice} block={block} />
  </Menu>
)
