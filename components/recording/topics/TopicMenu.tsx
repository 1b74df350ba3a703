"use client"
import type { StructureChange } from "#lib/domain/topics/topic-edits.ts"
import { formatClock } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Menu, MenuItem, MenuSeparator } from "../../ui/Menu.tsx"
import { usePlayer } from "../player/player.ts"
import type { Topic } from "./topic-list.ts"
import { renameTopic } from "./topic-renaming.ts"

const parentOf = (number: string): string => number.slice(0, number.lastIndexOf("."))

/** Returns the number of the topic before or after another one, or null if there is none. */
const neighborOf = (topics: readonly Topic[], number: string, by: 1 | -1): string | null => {
  const [parent, index] = [parentOf(number), Number(number.slice(number.lastIndexOf(".") + 1))]
  const neighbor = `${parent}.${index + by}`
  return topics.some((topic) => topic.number === neighbor) ? neighbor : null
}

type TopicMenuProps = {
  topic: Topic
  topics: readonly Topic[]
  onChange: (change: StructureChange) => void
}

/** The actions on one topic of the outline. */
export const TopicMenu = ({ topic, topics, onChange }: TopicMenuProps) => {
  const { number, level, node } = topic
  const second = usePlayer((s) => s.second)
  const [previous, next] = [neighborOf(topics, number, -1), neighborOf(topics, number, 1)]
  const canSplit = second > node.start_s && second < node.end_s
  const parent = parentOf(number)
  const [before, after] = level === 3 ? [neighborOf(topics, parent, -1), neighborOf(topics, parent, 1)] : [null, null]
  const kind = level === 2 ? "topic" : "subtopic"
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          aria-label={`Change topic ${node.title} at ${formatClock(node.start_s)}`}
          title="More"
          className="grid size-7 shrink-0 place-items-center rounded-full text-muted opacity-0 outline-offset-[-2px] transition group-hover/line:opacity-100 hover:bg-accent-wash hover:text-ink focus-visible:opacity-100 aria-expanded:opacity-100 max-lg:opacity-100 max-sm:size-11"
        >
          <Icon name="more" size={16} />
        </button>
      }
    >
      <MenuItem icon="edit" hint="F2" onSelect={() => renameTopic(number)}>
        Rename
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon="split"
        hint={canSplit ? formatClock(second) : ""}
        disabled={!canSplit}
        onSelect={() => onChange({ action: "split", topic: number, at_s: second })}
      >
        Split at current time
      </MenuItem>
      <MenuItem
        icon="fold"
        disabled={previous === null}
        onSelect={() => onChange({ action: "merge", topic: number, with: "previous" })}
      >
        Merge with previous {kind}
      </MenuItem>
      <MenuItem
        icon="fold"
        disabled={next === null}
        onSelect={() => onChange({ action: "merge", topic: number, with: "next" })}
      >
        Merge with next {kind}
      </MenuItem>
      <MenuSeparator />
      {level === 3 ? (
        <>
          <MenuItem icon="back" onSelect={() => onChange({ action: "move", topic: number, parent: "1" })}>
            Make it a topic
          </MenuItem>
          {before !== null && previous === null && (
            <MenuItem icon="unfold" onSelect={() => onChange({ action: "move", topic: number, parent: before })}>
              Move to previous topic
            </MenuItem>
          )}
          {after !== null && next === null && (
            <MenuItem icon="down" onSelect={() => onChange({ action: "move", topic: number, parent: after })}>
              Move to next topic
            </MenuItem>
          )}
        </>
      ) : (
        <MenuItem
          icon="right"
          disabled={previous === null}
          onSelect={() => previous && onChange({ action: "move", topic: number, parent: previous })}
        >
          Make it a subtopic
        </MenuItem>
      )}
      <MenuItem
        icon="trash"
        tone="bad"
        disabled={previous === null && next === null}
        onSelect={() => onChange({ action: "delete", topic: number })}
      >
        Delete {kind}
      </MenuItem>
    </Menu>
  )
}
