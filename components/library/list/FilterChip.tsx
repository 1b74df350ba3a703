"use client"
import type { ReactNode } from "react"
import { cx } from "../../ui/cx.ts"
import { Icon, type IconName } from "../../ui/Icon.tsx"
import { Menu } from "../../ui/Menu.tsx"

type ChipProps = {
  label: string
  icon?: IconName
  /** The value that is chosen; undefined if the filter is off. */
  value: string | undefined
  onClear: () => void
  children: ReactNode
}

export const CHIP =
  "inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-sm whitespace-nowrap transition max-sm:h-11 hover:border-line-strong"

/** A filter as a button with a menu. A chosen value has a button that removes it. */
export const FilterChip = ({ label, icon, value, onClear, children }: ChipProps) => (
  <span className="inline-flex shrink-0">
    <Menu
      trigger={
        <button
          type="button"
          aria-label={value === undefined ? label : `${label}: ${value}`}
          className={cx(
            CHIP,
            value === undefined ? "border-line text-soft" : "rounded-r-none border-accent bg-accent-wash pr-2 text-ink",
          )}
        >
          {icon && <Icon name={icon} size={15} className="text-muted" />}
          <bdi className="max-w-48 truncate">{value ?? label}</bdi>
          {value === undefined && <Icon name="down" size={14} className="-mr-1 text-muted" />}
        </button>
      }
    >
      {children}
    </Menu>
    {value !== undefined && (
      <button
        type="button"
        aria-label={`Remove the filter ${label}: ${value}`}
        onClick={onClear}
        className="grid h-8 w-8 place-items-center rounded-r-full border border-l-0 border-accent bg-accent-wash text-muted hover:text-ink max-sm:h-11 max-sm:w-11"
      >
        <Icon name="close" size={13} />
      </button>
    )}
  </span>
)
