import type { ApiCall } from "../filled-form.ts"
import { toCurl } from "./curl.ts"
import type { SampleOptions } from "./options.ts"
import { toPython } from "./python.ts"
import { toTypeScript } from "./typescript.ts"

export const LANGUAGES = ["curl", "typescript", "python"] as const
export type Language = (typeof LANGUAGES)[number]

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  curl: "curl",
  typescript: "TypeScript",
  python: "Python",
}

const WRITERS: Readonly<Record<Language, (call: ApiCall, options: SampleOptions) => string>> = {
  curl: toCurl,
  typescript: toTypeScript,
  python: toPython,
}

/** Writes a request as code in a language. */
export const toSample = (language: Language, call: ApiCall, options: SampleOptions): string =>
  WRITERS[language](call, options)
