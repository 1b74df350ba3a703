import { identify } from "#lib/sources/identity.ts"

/** A URL, a path with a folder, or a name: what an ID never looks like. */
const SOURCE = /^[a-z]+:|[/\\]/i

/** Returns the ID of a clip that is given by its ID or by the source from which it was made. */
export const toClipId = (given: string): string =>
  SOURCE.test(given) ? identify(given, { roots: [], cwd: process.cwd(), hasTranscript: true }).sessionId : given

export const CLIP_ARGUMENT = "ID of a clip, or the path, URL or name: that it was made from"
