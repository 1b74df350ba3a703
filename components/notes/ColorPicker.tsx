import type { HighlightColor } from "#lib/api/client/types.ts"
import { HIGHLIGHT_COLORS } from "#lib/domain/constants.ts"
import { cx } from "../ui/cx.ts"

export const COLOR_NAMES: Readonly<Record<HighlightColor, string>> = {
  yellow: "Yellow",
  green: "Green",
  blue: "Blue",
  pink: "Pink",
}

type ColorPickerProps = {
  /** The name of what a color is chosen for, such as "Highlight". */
  label: string
  value: HighlightColor | null
  onChoose: (color: HighlightColor) => void
}

/** One button per color of highlights. */
export const ColorPicker = ({ label, value, onChoose }: ColorPickerProps) => (
  <fieldset className="flex items-center">
    <legend className="sr-only">{label}</legend>
    {HIGHLIGHT_COLORS.map((color) => (
      <button
        key={color}
        type="button"
        aria-label={`${label} in ${COLOR_NAMES[color].toLowerCase()}`}
        aria-pressed={color === value}
        title={COLOR_NAMES[color]}
        onClick={() => onChoose(color)}
        className="grid size-8 place-items-center rounded-full transition hover:bg-accent-wash max-sm:size-11"
      >
        <span
          data-highlight={color}
          className={cx(
            "size-4.5 rounded-full border border-ink/25",
            color === value && "outline-2 outline-offset-2 outline-ink",
          )}
        />
      </button>
    ))}
  </fieldset>
)
