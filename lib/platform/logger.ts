import pino, { type Logger } from "pino"

export type { Logger }

/** JSON lines on stderr: stdout belongs to results. No text of documents or transcripts is ever logged. */
export const createLogger = (level: string, name: string): Logger =>
  pino(
    { level, base: { name, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  )
