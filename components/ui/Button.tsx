import type { ComponentProps } from "react"
import { cx } from "./cx.ts"
import { Icon, type IconName } from "./Icon.tsx"

const VARIANTS = {
  primary: "bg-accent text-accent-ink hover:brightness-110 active:brightness-95",
  plain: "border border-line-strong bg-raised text-ink hover:border-muted",
  quiet: "text-soft hover:bg-accent-wash hover:text-ink",
} as const

const BASE =
  "inline-flex h-9 shrink-0 items-center justify-center gap-1.5 rounded-full px-3.5 text-sm font-[560] whitespace-nowrap transition disabled:pointer-events-none disabled:opacity-45"

type ButtonStyle = { variant?: keyof typeof VARIANTS; icon?: IconName }

export const Button = ({
  variant = "plain",
  icon,
  className,
  children,
  ...rest
}: ComponentProps<"button"> & ButtonStyle) => (
  <button type="button" className={cx(BASE, VARIANTS[variant], className)} {...rest}>
    {icon && <Icon name={icon} size={17} />}
    {children}
  </button>
)

/** A link styled as a button. */
export const LinkButton = ({
  variant = "plain",
  icon,
  className,
  children,
  ...rest
}: ComponentProps<"a"> & ButtonStyle) => (
  <a className={cx(BASE, VARIANTS[variant], className)} {...rest}>
    {icon && <Icon name={icon} size={17} />}
    {children}
  </a>
)

/** A button with only an icon. `label` is its accessible name and tooltip. */
export const IconButton = ({
  name,
  label,
  className,
  ...rest
}: ComponentProps<"button"> & { name: IconName; label: string }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className={cx(
      "inline-grid size-9 shrink-0 place-items-center rounded-full text-soft transition hover:bg-accent-wash hover:text-ink aria-pressed:bg-accent-wash aria-pressed:text-accent",
      className,
    )}
    {...rest}
  >
    <Icon name={name} />
  </button>
)
