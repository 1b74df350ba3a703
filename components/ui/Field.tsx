"use client"
import { Field as Base } from "@base-ui/react/field"
import type { ComponentProps } from "react"
import { cx } from "./cx.ts"

const INPUT =
  "w-full rounded-md border border-line-strong bg-raised px-3 text-base placeholder:text-muted focus-visible:-outline-offset-1"

type FieldProps = {
  label: string
  hint?: string | undefined
  error?: string | null | undefined
  hideLabel?: boolean | undefined
}

const FieldFrame = ({ label, hint, error, hideLabel, children }: FieldProps & { children: React.ReactNode }) => (
  <Base.Root invalid={!!error} className="grid gap-1">
    <Base.Label className={cx("text-sm font-[560]", hideLabel && "sr-only")}>{label}</Base.Label>
    {children}
    {hint && <Base.Description className="text-xs text-muted">{hint}</Base.Description>}
    {error && (
      <Base.Error match className="text-sm text-bad">
        {error}
      </Base.Error>
    )}
  </Base.Root>
)

/** A single-line text field. `hideLabel` keeps the label for screen readers only. */
export const Field = ({ label, hint, error, hideLabel, className, ...rest }: FieldProps & ComponentProps<"input">) => (
  <FieldFrame {...{ label, hint, error, hideLabel: hideLabel }}>
    <Base.Control className={cx(INPUT, "h-9", className)} {...(rest as ComponentProps<typeof Base.Control>)} />
  </FieldFrame>
)

/** A multi-line text field. */
export const TextField = ({
  label,
  hint,
  error,
  hideLabel,
  className,
  ...rest
}: FieldProps & ComponentProps<"textarea">) => (
  <FieldFrame {...{ label, hint, error, hideLabel: hideLabel }}>
    <Base.Control
      render={<textarea {...rest} />}
      className={cx(INPUT, "min-h-20 resize-y py-2 leading-6", className)}
    />
  </FieldFrame>
)
