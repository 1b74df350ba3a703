"use client"
import { useEffect, useState } from "react"
import { LinkButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { formatBytes } from "../../ui/format.ts"
import { CodeBlock } from "./CodeBlock.tsx"
import type { Answer } from "./send-call.ts"

const Download = ({ blob, type }: { blob: Blob; type: string }) => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const created = URL.createObjectURL(blob)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [blob])
  return (
    <div className="grid justify-items-start gap-2 px-4 py-3">
      {/* biome-ignore lint/a11y/useMediaCaption: the recording is whatever the service has */}
      {type.startsWith("audio/") && <audio controls src={url} className="w-full" />}
      <LinkButton icon="save" href={url} download="download">
        Save the body
      </LinkButton>
    </div>
  )
}

const describeState = ({ size, isComplete, isCut }: Answer): string => {
  if (isCut) return `${formatBytes(size)}, cut`
  return isComplete ? formatBytes(size) : `${formatBytes(size)} so far`
}

/** Shows the status, time, size, headers and body of an answer. */
export const AnswerView = ({ id, answer }: { id: string; answer: Answer }) => {
  const { status, statusText, timeMs, headers, text, blob, type } = answer
  return (
    <section aria-label={`Answer of ${id}`} className="border-line border-b">
      <p role="status" className="flex flex-wrap items-baseline gap-x-3 px-4 pt-3 pb-2 text-sm">
        <span className={cx("numeric font-[640]", status < 400 ? "text-good" : "text-bad")}>
          {status} {statusText}
        </span>
        <span className="numeric text-muted">{Math.max(1, Math.round(timeMs))} ms</span>
        <span className="numeric text-muted">{describeState(answer)}</span>
      </p>
      <details className="px-4 pb-2 text-sm">
        <summary className="cursor-pointer text-muted hover:text-ink">{headers.length} headers</summary>
        <dl className="grid gap-x-3 py-2 text-xs sm:grid-cols-[minmax(6rem,auto)_1fr]">
          {headers.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="font-mono text-muted">{name}</dt>
              <dd className="font-mono [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {text !== "" && (
        <div className="border-line border-t">
          <CodeBlock label={`body of the answer of ${id}`} text={text} tall />
        </div>
      )}
      {blob && <Download blob={blob} type={type} />}
    </section>
  )
}
