"use client"
import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import type { CallInfo, CallParameter } from "../call-info.ts"
import { type FilledForm, keyOf } from "../filled-form.ts"
import { BodyFields } from "./BodyFields.tsx"
import { ParameterField } from "./ParameterField.tsx"
import { createStoredText, useStoredText } from "./stored-text.ts"

/** Kept for this tab only. */
export const tokenOfTab = createStoredText("earmark.docs.token", { storage: () => sessionStorage })

const TokenField = () => {
  const [token, setToken] = useStoredText(tokenOfTab)
  return (
    <Field
      label="API token"
      hint="Kept for this tab only. Without one, your session is used."
      type="password"
      autoComplete="off"
      value={token}
      onChange={(event) => setToken(event.target.value)}
    />
  )
}

type CallFormProps = {
  info: CallInfo
  form: FilledForm
  hasToken: boolean
  isSending: boolean
  onChange: (change: Partial<FilledForm>) => void
  onFile: (file: File | null) => void
  onSend: () => void
  onStop: () => void
}

/** The form of a call: its parameters, body and token. */
export const CallForm = ({ info, form, hasToken, isSending, onChange, onFile, onSend, onStop }: CallFormProps) => {
  const [isValid, setValid] = useState(true)
  const setText = (parameter: CallParameter) => (text: string) =>
    onChange({ texts: { ...form.texts, [keyOf(parameter)]: text } })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSend()
  }
  const fieldOf = (parameter: CallParameter) => (
    <ParameterField
      key={keyOf(parameter)}
      parameter={parameter}
      text={form.texts[keyOf(parameter)] ?? ""}
      onChange={setText(parameter)}
    />
  )
  const isOptionalHeader = (parameter: CallParameter) => parameter.in === "header" && !parameter.isRequired
  const headers = info.parameters.filter(isOptionalHeader)
  return (
    <form aria-label={`Try ${info.id}`} onSubmit={submit} className="grid gap-4 border-line border-b px-4 py-4">
      <div className="grid grid-cols-2 gap-x-4 gap-y-3 empty:hidden">
        {info.parameters.filter((parameter) => !isOptionalHeader(parameter)).map(fieldOf)}
      </div>
      {form.bodyKind !== "none" || info.file ? (
        <BodyFields info={info} form={form} onChange={onChange} onFile={onFile} onValid={setValid} />
      ) : null}
      {headers.length > 0 && (
        <details>
          <summary className="cursor-pointer text-sm text-muted hover:text-ink">Headers</summary>
          <div className="grid grid-cols-2 gap-x-4 gap-y-3 pt-2">{headers.map(fieldOf)}</div>
        </details>
      )}
      {hasToken && info.needsToken && <TokenField />}
      <div className="flex gap-2">
        <Button variant="primary" type="submit" disabled={isSending || !isValid}>
          Send
        </Button>
        {isSending && (
          <Button icon="stop" onClick={onStop}>
            Stop
          </Button>
        )}
      </div>
    </form>
  )
}
