"use client"
import { type ComponentProps, type ReactNode, useId } from "react"
import { cx } from "./cx.ts"

const INPUT =
  "w-full rounded-md border border-line-strong bg-raised px-3 text-base placeholder:text-muted focus-visible:-outline-offset-1"

type FieldProps = {
  label: string
  hint?: string | undefined
  error?: string | null | undefined
  hideLabel?: boolean | undefined
}

/** What connects a control with its label, hint and error for screen readers. */
type ControlProps = { id: string; "aria-describedby"?: string; "aria-invalid"?: true }

type FieldFrameProps = FieldProps & { id: string | undefined; children: (control: ControlProps) => ReactNode }

const FieldFrame = ({ label, hint, error, hideLabel, id, children }: FieldFrameProps) => {
  const ownId = useId()
  const control = id ?? ownId
  const [hintId, errorId] = [`${control}-hint`, `${control}-error`]
  const describedBy = [hint && hintId, error && errorId].filter(Boolean).join(" ")
  return (
    <div className="grid gap-1">
      <label htmlFor={control} className={cx("text-sm font-[560]", hideLabel && "sr-only")}>
        {label}
      </label>
      {children({
        id: control,
        ...(describedBy && { "aria-describedby": describedBy }),
        ...(error && { "aria-invalid": true }),
      })}
      {hint && (
        <p id={hintId} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {error && (
        <div id={errorId} className="text-sm text-bad">
          {error}
        </div>
      )}
    </div>
  )
}

/** A single-line text field. `hideLabel` keeps the label for screen readers only. */
export const Field = ({ label, hint, error, hideLabel, className, ...rest }: FieldProps & ComponentProps<"input">) => (
  <FieldFrame {...{ label, hint, error, hideLabel, id: rest.id }}>
    {(control) => <input {...rest} {...control} className={cx(INPUT, "h-9", className)} />}
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
  <FieldFrame {...{ label, hint, error, hideLabel, id: rest.id }}>
    {(control) => (
      <textarea {...rest} {...control} className={cx(INPUT, "min-h-20 resize-y py-2 leading-6", className)} />
    )}
  </FieldFrame>
)
