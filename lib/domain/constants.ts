// Enumerations and limits. This module does not import zod, so that pages can use it without loading zod.

/** The engines that write topics and answers. */
export const PROVIDERS = ["ollama", "openai", "builtin"] as const

/** The speech engines. */
export const ENGINES = ["sherpa", "openai", "pocketsphinx"] as const

/** How finely a recording is divided into topics. */
export const TOPIC_DETAILS = ["fewer", "normal", "more"] as const

/** What an API token may do. Each scope includes those before it. */
export const SCOPES = ["read", "write", "admin"] as const

/** The events that webhooks are told about. */
export const WEBHOOK_EVENTS = ["job.done", "job.error", "clip.updated", "clip.deleted"] as const

export const TEXT_EXPORT_FORMATS = [
  "srt",
  "vtt",
  "txt",
  "md",
  "json",
  "chapters",
  "ffmetadata",
  "youtube",
  "html",
] as const
export const DOCUMENT_FORMATS = ["docx", "pdf"] as const
export const EXPORT_FORMATS = [...TEXT_EXPORT_FORMATS, ...DOCUMENT_FORMATS] as const

export const MAX_TITLE_CHARS = 120
/** The number of word edits that are stored for a clip. Removing one applies the others again. */
export const MAX_WORD_EDITS = 5000
/** The number of topic edits that are stored for a clip. */
export const MAX_TOPIC_EDITS = 2000
export const MAX_CLIP_TITLE_CHARS = 500

/** The longest lease of a stage. A longer remaining lease was written before the clock was set back. */
export const MAX_LEASE_S = 3600

export const MAX_QUESTION_CHARS = 10_000

/** The length of a text that lists are filtered by and that pages search for. */
export const MAX_SEARCH_CHARS = 200

/** The colors of highlights. */
export const HIGHLIGHT_COLORS = ["yellow", "green", "blue", "pink"] as const

export const MAX_NOTE_CHARS = 10_000
export const MAX_NOTES_PER_CLIP = 1000
export const MAX_NOTES = 20_000

/** What templates produce: tasks, decisions, minutes, chapters, or the answer to a prompt. */
export const SUMMARY_KINDS = ["action_items", "decisions", "minutes", "chapters", "prompt"] as const

export const MAX_TEMPLATES = 50
export const MAX_PROMPT_CHARS = 4000
