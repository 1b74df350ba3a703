import { AppError } from "../../errors.ts"
import type { Logger } from "../../logger.ts"
import type { Transcriber } from "../types.ts"

/** PocketSphinx as the system packages it: English only, word times, no speakers. */
export const createPocketSphinx = (_options: { log: Logger }): Transcriber => ({
  name: "pocketsphinx",
  probe: async () => ({ available: false, detail: "not ready" }),
  transcribe: async () => {
    throw new AppError("unavailable", "not ready")
  },
  close: async () => {},
})
