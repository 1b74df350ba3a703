import { cx } from "./cx.ts"

/** A progress bar for a value from 0 to 1. Null shows an indeterminate bar. */
export const Progress = ({ value, label, className }: { value: number | null; label: string; className?: string }) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    {...(value !== null && { "aria-valuenow": Math.round(value * 100) })}
    className={cx("h-1 overflow-hidden rounded-full bg-line", className)}
  >
    <div
      className={cx(
        "h-full origin-left rounded-full bg-accent transition-transform duration-500",
        value === null && "animate-pulse opacity-50",
      )}
      style={{ transform: `scaleX(${value === null ? 1 : Math.min(1, Math.max(0.01, value))})` }}
    />
  </div>
)
