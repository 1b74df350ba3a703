/** The engines whose models are on a server, so that a choice can name one of several. */
const SERVERS = ["ollama", "openai"] as const

/** The parts of a choice: `ollama/qwen3:8b` names the model of a server, `ollama` leaves it to the settings. */
export type EngineValue = { readonly engine: string; readonly model: string | null }

/** Splits the value of a choice into its engine and model. Names of models may contain slashes. */
export const parseEngineValue = (value: string): EngineValue => {
  const server = SERVERS.find((name) => value.startsWith(`${name}/`))
  return server ? { engine: server, model: value.slice(server.length + 1) } : { engine: value, model: null }
}

export const formatEngineValue = ({ engine, model }: EngineValue): string =>
  model === null ? engine : `${engine}/${model}`
