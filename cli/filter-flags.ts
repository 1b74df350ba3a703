import type { Command } from "commander"
import { type QueryFilter, queryFilter } from "#lib/domain/documents.ts"
import { parseFlags } from "./flags.ts"

export type FilterFlags = {
  clip?: string[]
  tag?: string[]
  speaker?: string[]
  region?: string[]
  document?: string[]
  after?: string
  before?: string
}

const NAMES = {
  clip_ids: "--clip",
  tags: "--tag",
  speakers: "--speaker",
  regions: "--region",
  documents: "--document",
}

const collect = (value: string, values: readonly string[] = []): string[] => [...values, value]

/** Adds the flags that say which recordings and documents to search. Those for lists may be repeated. */
export const filterFlags = (command: Command): Command =>
  command
    .option("--clip <id>", "only this recording, or one of several", collect)
    .option("--tag <tag>", "only recordings with this tag, or one of several", collect)
    .option("--speaker <name>", "only what is said while this speaker speaks, or one of several", collect)
    .option("--region <name>", "only topics in this region of the map, or in one of several (with --url)", collect)
    .option("--document <id>", "only this document, or one of several", collect)
    .option("--after <time>", "only what was published at this date or time, or later")
    .option("--before <time>", "only what was published before this date or time")

/** Returns the filter that the flags describe, or undefined without any. @throws AppError `invalid` that names the flag */
export const toFilter = (flags: FilterFlags): QueryFilter | undefined => {
  const { clip: clip_ids, tag: tags, speaker: speakers, region: regions, document: documents, after, before } = flags
  const given = { clip_ids, tags, speakers, regions, documents, after, before }
  return Object.values(given).every((value) => value === undefined) ? undefined : parseFlags(queryFilter, given, NAMES)
}
