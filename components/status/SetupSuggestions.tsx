"use client"
import { useQuery } from "@tanstack/react-query"
import type { Installation } from "#lib/domain/installation.ts"
import { client } from "../api/client.ts"

export const useInstallation = (refetchIntervalMs?: number) =>
  useQuery({
    queryKey: ["installation"],
    queryFn: ({ signal }) => client.installation({ signal }),
    ...(refetchIntervalMs !== undefined && { refetchInterval: refetchIntervalMs }),
  })

const OFFLINE_SETTING = "SERVICE_MODELS_OFFLINE"

type SetupSuggestion = {
  /** What is not there, as part of a sentence. */
  readonly missing: string
  readonly text: string
  readonly commands: readonly string[]
}

/** What an installation lacks for the best results, with the lines that bring it. */
export const getSetupSuggestions = ({ choices }: Pick<Installation, "choices">): SetupSuggestion[] => [
  ...(choices.provider?.value === "builtin"
    ? [
        {
          missing: "a language model (Ollama)",
          text: "Titles, summaries and answers get better with a language model: install Ollama from ollama.com, then",
          commands: [
            "ollama pull gemma4",
            "ollama pull nomic-embed-text",
            "npx earmark engines set provider=ollama embedder=ollama",
          ],
        },
      ]
    : []),
  ...(choices.speech?.value === "pocketsphinx"
    ? [
        {
          missing: "a speech model",
          text: `Words get better, and voices are told apart, with models that are fetched once, by this line or below on the page of the status${choices.speech.reason.includes(OFFLINE_SETTING) ? `; ${OFFLINE_SETTING} has to be unset for it` : ""}:`,
          commands: ["npx earmark models pull", "npx earmark engines set speech=sherpa"],
        },
      ]
    : []),
]

export const Commands = ({ lines }: { lines: readonly string[] }) => (
  <pre className="rounded-md border border-line bg-paper px-3 py-2 text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">
    <code>{lines.join("\n")}</code>
  </pre>
)

/** In one sentence, what an installation lacks. */
export const summarizeSuggestions = (advice: readonly SetupSuggestion[]): string =>
  `Everything works; for the best results it lacks ${advice.map(({ missing: lacks }) => lacks).join(" and ")}`

/** How to get better results than now; nothing when there is nothing better. `open`: with the commands in sight. */
export const SetupSuggestions = ({ open = false }: { open?: boolean }) => {
  const { data } = useInstallation()
  const advice = data ? getSetupSuggestions(data) : []
  if (advice.length === 0) return null
  return (
    <details open={open} className="group rounded-md border border-line bg-surface px-4 py-3 text-sm text-soft">
      <summary className="rounded-sm font-[560] text-ink">{summarizeSuggestions(advice)}</summary>
      <div className="mt-3 grid gap-3">
        <p>The lines are typed in a terminal, those with npx in Earmark's folder.</p>
        {advice.map(({ text: what, commands }) => (
          <div key={what} className="grid gap-1.5">
            <p>{what}</p>
            <Commands lines={commands} />
          </div>
        ))}
      </div>
    </details>
  )
}
