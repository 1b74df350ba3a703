import type { ProviderName } from "#lib/domain/jobs/jobs.ts"

export const PROVIDER_NAMES: Readonly<Record<ProviderName, string>> = {
  ollama: "Ollama",
  openai: "OpenAI-compatible",
  builtin: "Built-in",
}

/** Returns the name of a provider as pages show it. Returns a provider that this version does not know unchanged. */
export const getProviderName = (provider: string | null): string | null =>
  provider === null ? null : ((PROVIDER_NAMES as Readonly<Record<string, string>>)[provider] ?? provider)
