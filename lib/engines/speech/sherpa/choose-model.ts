import { AppError } from "../../../domain/errors.ts"
import { findModel, MULTILINGUAL_MODEL, PARAKEET } from "../../models/catalog.ts"

export type ModelRequest = {
  /** null: detect the language. */
  readonly language: string | null
  /** The model of the request or the settings; undefined for the engine's choice. */
  readonly model: string | undefined
}

/** Returns the language without its region: "en" for "en-US" and "EN". */
const baseLanguage = (language: string): string => language.toLowerCase().split(/[-_]/)[0]!

/**
 * Chooses the model: the requested one, else Parakeet for its 25 European languages and for detection, else Whisper.
 * @returns the model's name and the language code, which is "" for detection
 * @throws AppError `invalid` if the requested model or every model does not support the language
 */
export const chooseModel = ({
  language,
  model,
}: ModelRequest): { readonly name: string; readonly language: string } => {
  const code = language === null ? "" : baseLanguage(language)
  const named = model === undefined ? null : findModel(model)
  // The languages of a custom model are unknown.
  if (model !== undefined && !named) return { name: model, language: code }
  if (named && named.use !== "speech")
    throw new AppError(
      "invalid",
      `The model ${named.name} is not a speech model. Use ${PARAKEET} or a Whisper size (tiny … large-v3-turbo).`,
    )
  const supportsLanguage = (name: string): boolean =>
    code === "" || (findModel(name)?.languages?.includes(code) ?? true)
  if (named) {
    if (supportsLanguage(named.name)) return { name: named.name, language: code }
    const advice =
      named.name === PARAKEET ? `Use ${MULTILINGUAL_MODEL}, or omit the model.` : 'Use "" to detect the language.'
    throw new AppError("invalid", `The model ${named.name} does not support the language '${language}'. ${advice}`)
  }
  const found = [PARAKEET, MULTILINGUAL_MODEL].find(supportsLanguage)
  if (found) return { name: found, language: code }
  throw new AppError(
    "invalid",
    `No speech model supports the language '${language}'. Use an ISO 639-1 code, or "" to detect the language.`,
  )
}
