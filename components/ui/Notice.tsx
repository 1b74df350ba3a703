import type { ReactNode } from "react"
import { Button } from "./Button.tsx"
import { cx } from "./cx.ts"
import { Icon } from "./Icon.tsx"

type NoticeProps = { tone?: "bad" | "plain"; title?: string; children: ReactNode; onRetry?: () => void; retry?: string }

/** A message box. Screen readers announce tone `bad` immediately and `plain` politely. */
export const Notice = ({ tone = "bad", title, children, onRetry, retry = "Try again" }: NoticeProps) => (
  <div
    role={tone === "bad" ? "alert" : "status"}
    className={cx(
      "flex animate-rise flex-wrap items-start gap-3 rounded-md border px-4 py-3 text-sm",
      tone === "bad" ? "border-bad/30 bg-bad-wash" : "border-line bg-surface",
    )}
  >
    <Icon name="alert" size={18} className={cx("mt-0.5 shrink-0", tone === "bad" ? "text-bad" : "text-muted")} />
    <div className="min-w-0 flex-1 basis-56 text-soft [overflow-wrap:anywhere]">
      {title && <p className="font-[600] text-ink">{title}</p>}
      {children}
    </div>
    {onRetry && (
      <Button icon="retry" onClick={onRetry} className="-my-0.5 ml-auto">
        {retry}
      </Button>
    )}
  </div>
)
