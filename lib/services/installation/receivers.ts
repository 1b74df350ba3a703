import { parseEngineValue } from "../../domain/engine-value.ts"
import type { ChoiceKind, Receiver } from "../../domain/installation.ts"
import type { Config } from "../../platform/config/config.ts"
import { isThisMachine } from "../../platform/is-this-machine.ts"

/** What the engine of each kind sends to its server, and for which purpose. */
const SENT: Readonly<Record<ChoiceKind, { readonly what: string; readonly why: string }>> = {
  provider: { what: "The text of recordings, documents and questions", why: "writes topics and answers" },
  embedder: { what: "The text of recordings, documents and questions", why: "computes embeddings" },
  speech: { what: "The audio of recordings", why: "transcribes them" },
}

/** Returns the URL of the server that an engine uses, or null for an engine without one. `auto` prefers a server that is set. */
const serverOf = ({ models, speech }: Config, kind: ChoiceKind, value: string): string | null => {
  const { engine } = parseEngineValue(value)
  if (kind === "speech") return engine === "openai" || engine === "auto" ? (speech.url ?? null) : null
  if (engine === "ollama" || (engine === "auto" && !models.openai)) return models.ollamaUrl
  if (!models.openai || (engine !== "openai" && engine !== "auto")) return null
  return kind === "provider" ? models.openai.url : models.openai.embedUrl
}

/** Lists the other machines to which the chosen engines send text or audio. */
export const listReceivers = (config: Config, choices: Readonly<Partial<Record<ChoiceKind, string>>>): Receiver[] =>
  (Object.keys(SENT) as ChoiceKind[]).flatMap((kind) => {
    const engine = choices[kind]
    const url = engine === undefined ? null : serverOf(config, kind, engine)
    if (url === null || isThisMachine(url)) return []
    const { host, protocol } = new URL(url)
    const { what, why } = SENT[kind]
    const encryption = protocol === "http:" ? ", without encryption" : ""
    return [{ host, engine: kind, detail: `${what} is sent to ${host}, which ${why}${encryption}.` }]
  })
