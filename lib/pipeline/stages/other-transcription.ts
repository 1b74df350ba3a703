import type { StoredJobOptions } from "../../domain/jobs/jobs.ts"
import type { TranscriptOrigin } from "../../domain/transcript/transcript-origin.ts"

/** Returns a language without its region: "en" for "en-US" and "EN". */
const baseLanguage = (language: string): string => language.toLowerCase().split(/[-_]/)[0]!

/**
 * Returns true if a job asks for another model or language than the one that made a transcript. The default language is
 * no request, and words that a caller supplied are not replaced.
 */
export const isOtherTranscription = (
  { whisper_model, language, is_language_given = false }: StoredJobOptions,
  made: TranscriptOrigin,
): boolean => {
  if (made.speech_engine === null) return false
  if (whisper_model !== undefined && whisper_model !== made.whisper_model) return true
  if (!is_language_given || language === null || made.language === null) return false
  return baseLanguage(language) !== baseLanguage(made.language)
}
