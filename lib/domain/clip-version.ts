import { AppError } from "./errors.ts"

/** The parts of a clip that change independently. The mark as a favorite counts as a tag. */
export const CLIP_PARTS = ["title", "speakers", "transcript", "topics", "tags"] as const
export type ClipPart = (typeof CLIP_PARTS)[number]

const LETTERS: Readonly<Record<ClipPart, string>> = {
  title: "n",
  speakers: "s",
  transcript: "w",
  topics: "t",
  tags: "g",
}
const NAMES: Readonly<Record<ClipPart, string>> = {
  title: "the title",
  speakers: "the names of the speakers",
  transcript: "the transcript",
  topics: "the topics",
  tags: "the tags",
}

/** How often each part of a clip has changed. Times in Unix milliseconds. */
export type ClipVersion = { readonly [P in ClipPart]: number } & {
  /** Distinguishes a clip from a deleted one with the same ID. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** Returns the ETag of a response that shows some parts of a clip, such as `"mix9k2o0-n2.t5"`. */
export const clipEtag = (version: ClipVersion, parts: readonly ClipPart[] = CLIP_PARTS): string => {
  const revisions = parts.map((part) => `${LETTERS[part]}${version[part]}`)
  return `"${version.createdAt.toString(36)}-${revisions.join(".")}"`
}

/** The ETags of the header If-Match, or `*` for any version. */
export type IfMatch = "*" | readonly string[]

/** Returns the parts in which a version differs from the one that an ETag names; null if the ETag does not name them all. */
const findChanges = (version: ClipVersion, etag: string, parts: readonly ClipPart[]): ClipPart[] | null => {
  const [, created, revisions = ""] = /^"([0-9a-z]+)-([a-z0-9.]+)"$/.exec(etag) ?? []
  const named = revisions.split(".")
  const isNamed = (part: ClipPart) => named.some((revision) => revision.startsWith(LETTERS[part]))
  // Hosts of the version before tags give ETags without them.
  const compared = parts.filter((part) => part !== "tags" || isNamed(part))
  if (created !== version.createdAt.toString(36) || !compared.every(isNamed)) return null
  return compared.filter((part) => !named.includes(`${LETTERS[part]}${version[part]}`))
}

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Rejects a change to some parts of a clip if they are no longer those that the caller has read.
 * @throws AppError `precondition_failed` with the current ETag and what has changed
 */
export const requireUnchanged = (
  version: ClipVersion,
  ifMatch: IfMatch | undefined,
  parts: readonly ClipPart[],
): void => {
  if (ifMatch === undefined || ifMatch === "*") return
  const changes = ifMatch.map((etag) => findChanges(version, etag, parts))
  if (changes.some((changed) => changed?.length === 0)) return
  const changed = changes.find((found) => found !== null) ?? null
  const updatedAt = new Date(version.updatedAt).toISOString()
  const reason = changed
    ? `${capitalize(listOf(changed.map((part) => NAMES[part])))} changed since the version in If-Match; the last change was at ${updatedAt}.`
    : `If-Match does not name a version of what this request changes. The last change was at ${updatedAt}.`
  throw new AppError("precondition_failed", `${reason} Read it again, then repeat your change with the new ETag.`, {
    fields: { etag: clipEtag(version), updated_at: updatedAt, ...(changed && { changed }) },
  })
}
