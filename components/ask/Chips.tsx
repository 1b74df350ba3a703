import { cx } from "../ui/cx.ts"
import { Icon } from "../ui/Icon.tsx"
import { CHIP_ICONS, type Chip } from "./scope-chips.ts"

const KIND_NAMES: Readonly<Record<Chip["kind"], string>> = {
  clip: "Recording",
  tag: "Tag",
  speaker: "Speaker",
  region: "Region of the map",
  document: "Document",
  after: "Date",
  before: "Date",
}

export const nameOfKind = (kind: Chip["kind"]): string => KIND_NAMES[kind]

/** The conditions of a question. With `onRemove`, each has a button that removes it. */
export const Chips = ({ chips, onRemove }: { chips: readonly Chip[]; onRemove?: (chip: Chip) => void }) => (
  <ul aria-label="Only in" className="flex flex-wrap gap-1.5">
    {chips.map((chip) => (
      <li
        key={`${chip.kind} ${chip.value}`}
        className={cx(
          "flex max-w-full min-w-0 items-center gap-1.5 rounded-full bg-accent-wash pl-2.5 text-xs font-[560] text-soft",
          onRemove ? "pr-0.5" : "py-1 pr-2.5",
        )}
      >
        <Icon name={CHIP_ICONS[chip.kind]} size={14} className="shrink-0" />
        <span className="sr-only">{KIND_NAMES[chip.kind]}: </span>
        <bdi className="truncate">{chip.label}</bdi>
        {onRemove && (
          <button
            type="button"
            aria-label={`Remove ${chip.label}`}
            onClick={() => onRemove(chip)}
            className="grid size-7 shrink-0 place-items-center rounded-full transition hover:bg-surface hover:text-ink"
          >
            <Icon name="close" size={13} />
          </button>
        )}
      </li>
    ))}
  </ul>
)
