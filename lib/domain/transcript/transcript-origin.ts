/** The engine and model of a transcript and its language. The engine is null if a caller supplied the words. */
export type TranscriptOrigin = {
  readonly speech_engine: string | null
  readonly whisper_model: string | null
  readonly language: string | null
}
