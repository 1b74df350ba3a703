"use client"
import { Field } from "../../ui/Field.tsx"
import type { CallParameter } from "../call-info.ts"

type ParameterFieldProps = { parameter: CallParameter; text: string; onChange: (text: string) => void }

const Choice = ({ parameter: { name, choices, isRequired }, text, onChange }: ParameterFieldProps) => (
  <label className="grid content-start gap-1">
    <span className="text-sm font-[560]">{name}</span>
    <select
      value={text}
      required={isRequired}
      onChange={(event) => onChange(event.target.value)}
      className="h-9 w-full rounded-md border border-line-strong bg-raised px-2 text-base"
    >
      {!isRequired && <option value="">not sent</option>}
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  </label>
)

const List = ({ parameter: { name, choices }, text, onChange }: ParameterFieldProps) => {
  const chosen = text === "" ? [] : text.split(",")
  const toggle = (choice: string) =>
    onChange(choices.filter((other) => (other === choice) !== chosen.includes(other)).join(","))
  return (
    <fieldset className="col-span-full grid gap-1">
      <legend className="mb-1 text-sm font-[560]">{name}</legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map((choice) => (
          <label
            key={choice}
            className="relative cursor-pointer rounded-full border border-line-strong px-2.5 py-0.5 font-mono text-xs text-soft hover:border-muted has-checked:border-accent has-checked:bg-accent-wash has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="checkbox"
              checked={chosen.includes(choice)}
              onChange={() => toggle(choice)}
              className="sr-only"
            />
            {choice}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** The input for a parameter. */
export const ParameterField = (props: ParameterFieldProps) => {
  const { parameter, text, onChange } = props
  const { name, type, isRequired, placeholder } = parameter
  if (type === "list") return <List {...props} />
  if (type === "choice") return <Choice {...props} />
  if (type === "boolean") return <Choice {...props} parameter={{ ...parameter, choices: ["true", "false"] }} />
  return (
    <Field
      label={name}
      value={text}
      required={isRequired}
      placeholder={placeholder}
      inputMode={type === "number" ? "decimal" : undefined}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
