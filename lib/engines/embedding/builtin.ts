import { setImmediate as immediate } from "node:timers/promises"
import { embedByHashing, HASHING_MODEL } from "../../domain/text/hash-embedding.ts"
import type { Embedder } from "../language/types.ts"

/** The time after which the event loop gets a turn, in milliseconds. */
const TURN_MS = 10

/** Creates an embedder that needs no model. */
export const createBuiltinEmbedder = (): Embedder => ({
  name: HASHING_MODEL,
  isLexical: true,
  embed: async (texts, _kind, signal) => {
    const vectors: Float32Array[] = []
    let turnStart = performance.now()
    for (const text of texts) {
      // A long document takes seconds, during which the process must handle other requests.
      if (performance.now() - turnStart > TURN_MS) {
        await immediate()
        turnStart = performance.now()
      }
      signal?.throwIfAborted()
      vectors.push(embedByHashing(text))
    }
    return vectors
  },
})
