import { Icon } from "../../ui/Icon.tsx"

/**
 * Plays a topic that a row or card shows. Not in the tab order: the keyboard opens the topic, whose panel has a player.
 */
export const PlayButton = ({ label, onPlay }: { label: string; onPlay: () => void }) => (
  <button
    type="button"
    tabIndex={-1}
    aria-label={label}
    title="Play"
    onClick={(event) => {
      event.stopPropagation()
      onPlay()
    }}
    className="grid size-9 shrink-0 place-items-center self-center rounded-full text-accent transition hover:bg-accent hover:text-accent-ink max-md:size-11"
  >
    <Icon name="play" size={16} />
  </button>
)
