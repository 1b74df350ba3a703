/** Closed lists and limits. Nothing here needs the schema library, so that pages can have them without it. */

/** Who writes topics and answers. */
export const PROVIDERS = ["ollama", "builtin"] as const

/** Speech engines by name; `auto` means the one this installation has chosen. */
export const ENGINES = ["sherpa", "openai", "pocketsphinx"] as const

export const EXPORT_FORMATS = ["srt", "vtt", "txt", "md", "json", "chapters", "ffmetadata", "youtube"] as const

/** The longest title of a topic, in characters. */
export const MAX_TITLE_CHARS = 120

/** The longest title of a clip, in characters. */
export const MAX_CLIP_TITLE_CHARS = 500

/** The longest lease of a stage, in seconds. A longer remaining lease was written before the clock was set back. */
export const MAX_LEASE_S = 3600

/** The longest question, in characters. */
export const MAX_QUESTION_CHARS = 10_000
