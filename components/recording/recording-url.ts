import { getRecordingHref } from "../search/use-library-search.ts"

/** Returns the absolute address of the recording at a time in seconds. */
export const getRecordingUrl = (id: string, second: number): string =>
  window.location.origin + getRecordingHref(id, second > 0 ? second : undefined)
