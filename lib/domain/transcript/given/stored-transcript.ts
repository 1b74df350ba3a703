import type { WordSpan } from "../words.ts"
import type { GivenTranscript } from "./read-transcript.ts"

/** A transcript of a caller in the form in which the store keeps it. */
export type StoredTranscript = { readonly json: string }

/** Words with exact times are stored as a list, others in an object that says so. */
export const serializeTranscript = ({ words, estimated_times }: GivenTranscript): string =>
  JSON.stringify(estimated_times ? { words, estimated_times } : words)

export const parseStoredTranscript = (json: string): GivenTranscript => {
  const stored: WordSpan[] | GivenTranscript = JSON.parse(json)
  return Array.isArray(stored) ? { words: stored, estimated_times: false } : stored
}
