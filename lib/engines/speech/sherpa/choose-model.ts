import { AppError } from "../../../domain/errors.ts"
import { findModel, OTHER_LANGUAGES, PARAKEET } from "../models/catalog.ts"

export type ModelWish = {
  /** null: detect. */
  readonly language: string | null
  /** By the request or the settings; undefined: the engine's choice. */
  readonly model: string | undefined
}

/** "en-US" and "EN" are "en". */
const baseOf = (language: string): string => language.toLowerCase().split(/[-_]/)[0]!

/**
 * The model that hears a language: the one that is asked for; else Parakeet for its 25 European languages and for an
 * unknown one, Whisper for the others.
 * @returns the model's name and the language's code, "" for one that is to be detected
 * @throws AppError `invalid` for a language that the model, or no model, knows
 */
export const chooseModel = ({ language, model }: ModelWish): { readonly name: string; readonly language: string } => {
  const code = language === null ? "" : baseOf(language)
  const named = model === undefined ? null : findModel(model)
  // A folder of one's own: nobody knows its languages.
  if (model !== undefined && !named) return { name: model, language: code }
  if (named && named.use !== "speech")
    throw new AppError(
      "invalid",
      `the model ${named.name} is no speech model: ask for ${PARAKEET} or a size of Whisper (tiny … large-v3-turbo)`,
    )
  const knows = (name: string): boolean => code === "" || (findModel(name)?.languages?.includes(code) ?? true)
  if (named) {
    if (knows(named.name)) return { name: named.name, language: code }
    const other =
      named.name === PARAKEET ? `ask for ${OTHER_LANGUAGES}, or leave the model out` : 'ask for "" to detect it'
    throw new AppError("invalid", `the model ${named.name} does not know the language '${language}': ${other}`)
  }
  const found = [PARAKEET, OTHER_LANGUAGES].find(knows)
  if (found) return { name: found, language: code }
  throw new AppError(
    "invalid",
    `no speech model of this version knows the language '${language}': give its code (ISO 639-1), or "" to detect it`,
  )
}
