import pino, { type Logger } from "pino"

export type { Logger }

/** Logs JSON lines to stderr, because stdout is for results. Never log text of documents or transcripts. */
export const createLogger = (level: string, name: string): Logger =>
  pino(
    { level, base: { name, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  )
