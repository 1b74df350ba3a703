"use client"
import { useQuery } from "@tanstack/react-query"
import type { Installation } from "#lib/domain/installation.ts"
import { client } from "../api.ts"

export const useInstallation = (every?: number) =>
  useQuery({
    queryKey: ["installation"],
    queryFn: ({ signal }) => client.installation({ signal }),
    ...(every !== undefined && { refetchInterval: every }),
  })

const OFFLINE = "SERVICE_MODELS_OFFLINE"

type Advice = {
  /** What is not there, as part of a sentence. */
  readonly lacks: string
  readonly what: string
  readonly commands: readonly string[]
}

/** What an installation lacks for the best results, with the lines that bring it. */
export const suggestionsFor = ({ choices }: Pick<Installation, "choices">): Advice[] => [
  ...(choices.provider?.value === "builtin"
    ? [
        {
          lacks: "a language model (Ollama)",
          what: "Titles, summaries and answers get better with a language model: install Ollama from ollama.com, then",
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
          lacks: "a speech model",
          what: `Words get better, and voices are told apart, with models that are fetched once, by this line or below on the page of the status${choices.speech.reason.includes(OFFLINE) ? `; ${OFFLINE} has to be unset for it` : ""}:`,
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
export const suggestionSummary = (advice: readonly Advice[]): string =>
  `Everything works; for the best results it lacks ${advice.map(({ lacks }) => lacks).join(" and ")}`

/** How to get better results than now; nothing when there is nothing better. `open`: with the commands in sight. */
export const SetupSuggestions = ({ open = false }: { open?: boolean }) => {
  const { data } = useInstallation()
  const advice = data ? suggestionsFor(data) : []
  if (advice.length === 0) return null
  return (
    <details open={open} className="group rounded-md border border-line bg-surface px-4 py-3 text-sm text-soft">
      <summary className="rounded-sm font-[560] text-ink">{suggestionSummary(advice)}</summary>
      <div className="mt-3 grid gap-3">
        <p>The lines are typed in a terminal, those with npx in Earmark's folder.</p>
        {advice.map(({ what, commands }) => (
          <div key={what} className="grid gap-1.5">
            <p>{what}</p>
            <Commands lines={commands} />
          </div>
        ))}
      </div>
    </details>
  )
}
