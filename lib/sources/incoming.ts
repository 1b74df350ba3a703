import { newId } from "../ids.ts"

const PREFIX = ".incoming-"

/** A name for bytes on their way, which tells the process that writes them: what a dead one left can be told apart. */
export const incomingName = (): string => `${PREFIX}${process.pid}-${newId()}`

/** The process that a file on its way belongs to; null for any other file. */
export const ownerOf = (name: string): number | null =>
  name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : null
