"use client"
import { useMutation } from "@tanstack/react-query"
import { formatEngineValue } from "#lib/domain/engine-value.ts"
import type { EngineOption, EngineGroup as Group } from "#lib/domain/engines.ts"
import { client, errorMessage } from "../../api/client.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { capitalize, formatBytes } from "../../ui/format.ts"
import { WithCode } from "../../ui/WithCode.tsx"

const formatTook = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

const formatSize = ({ bytes, state }: EngineOption): string | null =>
  bytes === null
    ? null
    : bytes === 0
      ? "nothing to download"
      : `${formatBytes(bytes)}${state === "download" ? " to download" : ""}`

type EngineCardProps = {
  kind: Group["kind"]
  option: EngineOption
  isChosen: boolean
  /** The model of the server that is chosen, or null for that of the settings. */
  chosenModel: string | null
  isPending: boolean
  /** True if no engine of this kind can be chosen now. */
  isLocked: boolean
  /** Chooses the engine, with a model of its server or with that of the settings. */
  onChoose: (model: string | null) => void
}

/** An engine: what to expect of it, a radio button that chooses it, and a button that calls it. */
export const EngineCard = ({ kind, option, isChosen, chosenModel, isPending, isLocked, onChoose }: EngineCardProps) => {
  const { value, name, state, detail, quality, speed, models, sends_to } = option
  const test = useMutation({
    mutationFn: () => client.testEngine(kind, { value: formatEngineValue({ engine: value, model: chosenModel }) }),
  })
  const isAvailable = state !== "unavailable"
  const id = `engine-${kind}-${value}`
  const size = formatSize(option)
  return (
    <div
      data-engine={value}
      className={cx(
        "grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-lg border px-4 py-3 has-focus-visible:outline-2 has-focus-visible:outline-accent sm:grid-cols-[auto_minmax(0,1fr)_auto]",
        isChosen ? "border-accent bg-surface" : "border-line",
      )}
    >
      <input
        type="radio"
        id={id}
        name={`engine-${kind}`}
        checked={isChosen}
        disabled={!isAvailable || isLocked}
        onChange={() => onChoose(chosenModel)}
        aria-describedby={state === "download" ? undefined : `${id}-detail`}
        className="mt-1 size-4 accent-accent"
      />
      <div className="grid min-w-0 content-start gap-0.5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <label htmlFor={id} className={cx("font-[600] [overflow-wrap:anywhere]", !isAvailable && "text-soft")}>
            {name}
          </label>
          <span className="text-xs text-muted">
            {isPending ? "will be in use" : isChosen ? "in use" : isAvailable ? "" : "not available"}
          </span>
        </p>
        <p className="text-sm text-soft">{capitalize(quality)}</p>
        <p className="text-sm text-muted">
          {speed}
          {size && ` · ${size}`}
        </p>
        {state !== "download" && (
          <p id={`${id}-detail`} className="text-sm text-muted [overflow-wrap:anywhere]">
            <WithCode>{detail}</WithCode>
          </p>
        )}
        {(models.length > 1 || chosenModel !== null) && (
          <select
            aria-label={`Model of ${name}`}
            value={chosenModel ?? ""}
            disabled={isLocked}
            onChange={(event) => onChoose(event.target.value || null)}
            className="mt-1 min-h-9 w-full max-w-80 rounded-md border border-line bg-raised px-2 text-sm pointer-coarse:min-h-11"
          >
            <option value="">Model of the settings</option>
            {[...new Set([...models, ...(chosenModel === null ? [] : [chosenModel])])].map((model) => (
              <option key={model} value={model}>
                {model}
              </option>
            ))}
          </select>
        )}
        {sends_to && (
          <p className="text-sm text-soft">
            {kind === "speech" ? "Audio" : "Text"} of your recordings is sent to{" "}
            <span className="font-[600]">{sends_to}</span>.
          </p>
        )}
        <div aria-live="polite">
          {test.data && (
            <p className={cx("mt-1 text-sm [overflow-wrap:anywhere]", test.data.ok ? "text-good" : "text-bad")}>
              <WithCode>{test.data.detail}</WithCode> ({formatTook(test.data.took_ms)})
            </p>
          )}
          {test.isError && <p className="mt-1 text-sm text-bad">{errorMessage(test.error)}</p>}
        </div>
      </div>
      <Button
        className="max-sm:col-start-2 max-sm:mt-2 max-sm:justify-self-start"
        aria-label={`Test ${name}`}
        disabled={test.isPending}
        onClick={() => test.mutate()}
      >
        {test.isPending ? "Testing…" : "Test"}
      </Button>
    </div>
  )
}
