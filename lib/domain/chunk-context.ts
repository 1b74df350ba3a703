import type { ChunkMetadata } from "./documents.ts"

/** Words that say what a passage is about and do not stand in it: title and heading, as the full text knows them. */
export const contextOf = ({ title, heading }: Pick<ChunkMetadata, "title" | "heading">): string =>
  [title, heading].filter(Boolean).join("\n")
