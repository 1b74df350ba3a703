"use client"
import { useQuery } from "@tanstack/react-query"
import type { Installation } from "#lib/domain/installation.ts"
import { client } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"

export const useInstallation = (refetchIntervalMs?: number) =>
  useQuery({
    queryKey: queryKeys.installation,
    queryFn: ({ signal }) => client.installation({ signal }),
    ...(refetchIntervalMs !== undefined && { refetchInterval: refetchIntervalMs }),
  })

const OFFLINE_SETTING = "SERVICE_MODELS_OFFLINE"

type SetupSuggestion = {
  /** What the installation lacks, as part of a sentence. */
  readonly missing: string
  readonly text: string
  readonly commands: readonly string[]
}

/** Returns what would improve the results of an installation, with the commands to set it up. */
const getSetupSuggestions = ({ choices }: Pick<Installation, "choices">): SetupSuggestion[] => [
  ...(choices.provider?.value === "builtin"
    ? [
        {
          missing: "a language model",
          text: "A language model improves titles, summaries and answers. Set SERVICE_OPENAI_BASE_URL to a server such as LM Studio or llama.cpp (docs/models.md), or install Ollama from ollama.com and run:",
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
          text: `Speech models improve transcripts and identify speakers. Download them under Settings or with these commands${choices.speech.reason.includes(OFFLINE_SETTING) ? `, after unsetting ${OFFLINE_SETTING}` : ""}:`,
          commands: ["npx earmark models pull", "npx earmark engines set speech=sherpa"],
        },
      ]
    : []),
]

const Commands = ({ lines }: { lines: readonly string[] }) => (
  <pre className="rounded-md border border-line bg-paper px-3 py-2 text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]">
    <code>{lines.join("\n")}</code>
  </pre>
)

/** Returns one sentence that names what is missing. */
const summarizeSuggestions = (suggestions: readonly SetupSuggestion[]): string =>
  `Everything works. For better results, add ${suggestions.map(({ missing }) => missing).join(" and ")}`

/** Suggests how to improve the setup. Renders nothing if there is nothing to improve. */
export const SetupSuggestions = () => {
  const { data } = useInstallation()
  const suggestions = data ? getSetupSuggestions(data) : []
  if (suggestions.length === 0) return null
  return (
    <details className="group rounded-md border border-line bg-surface px-4 py-3 text-sm text-soft">
      <summary className="rounded-sm font-[560] text-ink">{summarizeSuggestions(suggestions)}</summary>
      <div className="mt-3 grid gap-3">
        <p>Run these commands in a terminal. Run the npx commands from the Earmark folder.</p>
        {suggestions.map(({ text, commands }) => (
          <div key={text} className="grid gap-1.5">
            <p>{text}</p>
            <Commands lines={commands} />
          </div>
        ))}
      </div>
    </details>
  )
}
