import { cx } from "./cx.ts"

type SegmentedProps<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

/** A segmented control. It consists of radio buttons, so arrow keys work. */
export const Segmented = <T extends string>({ label, value, options, onChange }: SegmentedProps<T>) => (
  <fieldset className="inline-flex rounded-full border border-line bg-paper p-0.5">
    <legend className="sr-only">{label}</legend>
    {options.map((option) => (
      <label
        key={option.value}
        className={cx(
          "cursor-pointer rounded-full px-2.5 py-0.5 sm:px-3 text-xs font-[560] transition has-focus-visible:outline-2 has-focus-visible:outline-accent",
          option.value === value ? "bg-raised text-ink shadow-float" : "text-muted hover:text-ink",
        )}
      >
        <input
          type="radio"
          name={label}
          value={option.value}
          checked={option.value === value}
          onChange={() => onChange(option.value)}
          className="sr-only"
        />
        {option.label}
      </label>
    ))}
  </fieldset>
)
