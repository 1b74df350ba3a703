/** The fields of a recording that its page shows. The words come as columns, which take a third of the space. */
export const CLIP_FIELDS = [
  "id",
  "title",
  "source_url",
  "file_path",
  "created_at",
  "channel",
  "published_at",
  "duration_s",
  "language",
  "word_columns",
  "topics",
  "tree",
  "speakers",
  "voices",
  "tags",
  "favorite",
  "speech_engine",
  "whisper_model",
  "diarized",
  "estimated_times",
  "transcript_notes",
  "provider",
  "llm_model",
  "embed_model",
  "etag",
] as const

/** Returns the address of those fields, as the client requests it, so that the HTML of a page can announce the request. */
export const getClipAddress = (id: string): string =>
  `/clips/${encodeURIComponent(id)}?${new URLSearchParams({ fields: CLIP_FIELDS.join(",") })}`
