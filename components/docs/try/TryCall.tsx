"use client"
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"
import type { CallInfo } from "../call-info.ts"
import { emptyForm, type FilledForm, toCall } from "../filled-form.ts"
import { MethodBadge } from "../MethodBadge.tsx"
import { AnswerView } from "./AnswerView.tsx"
import { CallForm, tokenOfTab } from "./CallForm.tsx"
import { Samples } from "./Samples.tsx"
import { useCall } from "./use-call.ts"

type TryCallProps = { info: CallInfo; origin: string; hasToken: boolean }

/** Shows a call as code, and on request a form that fills it in and sends it. */
export const TryCall = ({ info, origin, hasToken }: TryCallProps) => {
  const [isOpen, setOpen] = useState(false)
  const [form, setForm] = useState<FilledForm>(() => emptyForm(info))
  const [file, setFile] = useState<File | null>(null)
  const { answer, problem, isSending, send, stop } = useCall()
  const call = toCall(info, form)
  const change = (part: Partial<FilledForm>) => setForm((last) => ({ ...last, ...part }))
  const chooseFile = (chosen: File | null) => {
    setFile(chosen)
    change({ file: chosen })
  }
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface">
      <div className="flex items-center gap-2 border-line border-b py-1.5 pr-2 pl-4">
        <MethodBadge method={info.method} small />
        <span className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{info.path}</span>
        <Button
          variant={isOpen ? "quiet" : "plain"}
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Close" : "Try it"}: ${info.id}`}
          onClick={() => setOpen(!isOpen)}
          className="h-8"
        >
          {isOpen ? "Close" : "Try it"}
        </Button>
      </div>
      {isOpen && (
        <CallForm
          info={info}
          form={form}
          hasToken={hasToken}
          isSending={isSending}
          onChange={change}
          onFile={chooseFile}
          onSend={() => send(call, { token: hasToken ? tokenOfTab.get() : "", file })}
          onStop={stop}
        />
      )}
      {problem && (
        <div className="border-line border-b px-4 py-4">
          <Notice>{problem}</Notice>
        </div>
      )}
      {isOpen && answer && <AnswerView id={info.id} answer={answer} />}
      <Samples call={call} origin={origin} withToken={hasToken && info.needsToken} />
    </div>
  )
}
