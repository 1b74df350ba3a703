"use client"
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { formatEngineValue, parseEngineValue } from "#lib/domain/engine-value.ts"
import type { EngineChange, EngineOption, EngineGroup as Group } from "#lib/domain/engines.ts"
import { client, errorMessage } from "../../api/client.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { formatCount } from "../../ui/format.ts"
import { notifyError } from "../../ui/toast-queue.ts"
import { Section } from "../Section.tsx"
import { EngineCard } from "./EngineCard.tsx"
import { useChooseEngine } from "./use-choose-engine.ts"

const KINDS: Readonly<Record<Group["kind"], { title: string; purpose: string }>> = {
  provider: {
    title: "Topics and answers",
    purpose: "Finds topics, writes titles and summaries, and answers questions.",
  },
  embedder: { title: "Similarity", purpose: "Compares texts for the map, search and answers." },
  speech: { title: "Transcription", purpose: "Turns recordings into words with times and speakers." },
}

type ConfirmProps = { change: EngineChange; name: string; onConfirm: () => void; onClose: () => void }

/** Says what another embedding model costs before it is chosen. */
const ConfirmEmbedder = ({ change, name, onConfirm, onClose }: ConfirmProps) => (
  <Dialog open onClose={onClose} title={`Use ${name}?`}>
    <div className="grid gap-4">
      <p className="text-soft">
        {change.texts.toLocaleString("en")} texts of your recordings and documents will be embedded anew, in the
        background. The map and search stay as they are until that is done. Then the map gets a new layout.
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" data-first onClick={onConfirm}>
          Embed {change.texts.toLocaleString("en")} texts
        </Button>
      </div>
    </div>
  </Dialog>
)

/** What a person has selected: the value of the choice, and the name to show. */
type Selection = { readonly value: string; readonly name: string }

type EngineGroupProps = { group: Group; pending: string | null; children: ReactNode }

/** The engines of one kind as radio buttons. `pending` is the one that will be in use after a change. */
export const EngineGroup = ({ group: { kind, chosen, setting, options }, pending, children }: EngineGroupProps) => {
  const { title, purpose } = KINDS[kind]
  const choose = useChooseEngine()
  const [asked, setAsked] = useState<{ change: EngineChange; name: string } | null>(null)
  const preview = useMutation({
    mutationFn: ({ value }: Selection) => client.chooseEngine(kind, { value, dry_run: true }),
    onSuccess: (change, { value, name }) => {
      if (change.is_pending) setAsked({ change, name })
      else choose.mutate({ kind, value })
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
  const select = (selection: Selection) =>
    kind === "embedder" ? preview.mutate(selection) : choose.mutate({ kind, value: selection.value })
  const inUse = chosen && parseEngineValue(chosen.value)
  const isBusy = choose.isPending || preview.isPending
  const isShown = ({ value, state }: EngineOption) => state !== "unavailable" || value === inUse?.engine
  const [shown, others] = [options.filter(isShown), options.filter((option) => !isShown(option))]
  const card = (option: EngineOption) => (
    <EngineCard
      key={option.value}
      kind={kind}
      option={option}
      isChosen={option.value === inUse?.engine}
      chosenModel={option.value === inUse?.engine ? inUse.model : null}
      isPending={pending !== null && option.value === parseEngineValue(pending).engine}
      isLocked={isBusy || setting !== null}
      onChoose={(model) =>
        select({ value: formatEngineValue({ engine: option.value, model }), name: model ?? option.name })
      }
    />
  )
  return (
    <Section id={`engines-${kind}`} title={title}>
      <p className="-mt-2 text-sm text-muted">{purpose}</p>
      {setting && (
        <p className="text-sm text-soft">
          The setting <code>{setting}</code> determines this engine. Remove it to choose one here.
        </p>
      )}
      {children}
      <fieldset className="grid min-w-0 gap-2">
        <legend className="sr-only">{title}</legend>
        {shown.map(card)}
        {others.length > 0 && (
          <details className="min-w-0">
            <summary className="rounded-sm py-1 text-sm font-[560] text-soft">
              {formatCount(others.length, "engine")} not available
            </summary>
            <div className="mt-2 grid min-w-0 gap-2">{others.map(card)}</div>
          </details>
        )}
      </fieldset>
      {asked && (
        <ConfirmEmbedder
          change={asked.change}
          name={asked.name}
          onClose={() => setAsked(null)}
          onConfirm={() => {
            choose.mutate({ kind, value: asked.change.value })
            setAsked(null)
          }}
        />
      )}
    </Section>
  )
}
