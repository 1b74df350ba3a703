"use client"
import { useState } from "react"
import { TextField } from "../../ui/Field.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import type { CallInfo } from "../call-info.ts"
import type { BodyKind, FilledForm } from "../filled-form.ts"

const KIND_NAMES: Readonly<Record<BodyKind, string>> = { json: "JSON", form: "File", file: "File", none: "No body" }

const kindsOf = ({ json, form, file }: CallInfo): BodyKind[] => [
  ...(json ? (["json"] as const) : []),
  ...(form ? (["form"] as const) : []),
  ...(file ? (["file"] as const) : []),
  ...(file && !file.isRequired ? (["none"] as const) : []),
]

const MAX_ROWS = 16

type BodyFieldsProps = {
  info: CallInfo
  form: FilledForm
  onChange: (change: Partial<Pick<FilledForm, "bodyKind" | "json">>) => void
  onFile: (file: File | null) => void
  /** Called with whether the text is JSON. */
  onValid: (isValid: boolean) => void
}

/** The inputs for the body: JSON, a file, or a file with other fields. */
export const BodyFields = ({ info, form: { bodyKind, json }, onChange, onFile, onValid }: BodyFieldsProps) => {
  const [text, setText] = useState(() => JSON.stringify(json, null, 2))
  const [problem, setProblem] = useState<string | null>(null)
  const kinds = kindsOf(info)
  const edit = (next: string) => {
    setText(next)
    try {
      onChange({ json: JSON.parse(next === "" ? "{}" : next) })
      setProblem(null)
      onValid(true)
    } catch (error) {
      setProblem(`This is not JSON: ${(error as Error).message}`)
      onValid(false)
    }
  }
  const hasJson = bodyKind === "json" || (bodyKind === "form" && info.form?.fields)
  return (
    <div className="grid gap-3">
      {kinds.length > 1 && (
        <div>
          <Segmented
            label={`Body of ${info.id}`}
            value={bodyKind}
            options={kinds.map((value) => ({ value, label: KIND_NAMES[value] }))}
            onChange={(kind) => onChange({ bodyKind: kind })}
          />
        </div>
      )}
      {(bodyKind === "form" || bodyKind === "file") && (
        <label className="grid gap-1">
          <span className="text-sm font-[560]">file</span>
          <input
            type="file"
            required
            onChange={(event) => onFile(event.target.files?.[0] ?? null)}
            className="text-sm text-soft file:mr-3 file:h-9 file:cursor-pointer file:rounded-full file:border file:border-line-strong file:bg-raised file:px-3.5 file:text-ink"
          />
        </label>
      )}
      {hasJson && (
        <TextField
          label={bodyKind === "json" ? "Body" : "Other fields"}
          hint={
            bodyKind === "json" ? undefined : "As JSON. The fields are sent as text beside the file, without source."
          }
          error={problem}
          value={text}
          rows={Math.min(MAX_ROWS, text.split("\n").length + 1)}
          spellCheck={false}
          onChange={(event) => edit(event.target.value)}
          className="font-mono text-xs"
        />
      )}
    </div>
  )
}
