/** The body of a request, from which parts are taken one after the other. */
export type BodyParts = {
  /** Yields at most `maxBytes`, and fewer if the body ends before. Does not throw if the connection breaks. */
  take(maxBytes: number): AsyncGenerator<Uint8Array>
  /** Waits for the next byte. Returns true if there is none. */
  isAtEnd(): Promise<boolean>
  /** Why the body ended too early, if it did. */
  failure(): { readonly error: unknown } | undefined
}

/** @param stopped resolves when the body must not be read any further */
export const splitBody = (body: AsyncIterable<Uint8Array>, stopped: Promise<void>): BodyParts => {
  const iterator = body[Symbol.asyncIterator]()
  const end = stopped.then(() => ({ done: true, value: undefined }) as const)
  let rest: Uint8Array = new Uint8Array(0)
  let hasEnded = false
  let failure: { readonly error: unknown } | undefined

  const fill = async (): Promise<void> => {
    while (rest.byteLength === 0 && !hasEnded)
      try {
        const next = await Promise.race([iterator.next(), end])
        if (next.done) hasEnded = true
        else rest = next.value
      } catch (error) {
        failure = { error }
        hasEnded = true
      }
  }
  return {
    take: async function* (maxBytes) {
      for (let left = maxBytes; left > 0; ) {
        await fill()
        if (rest.byteLength === 0) return
        const chunk = rest.subarray(0, left)
        rest = rest.subarray(chunk.byteLength)
        left -= chunk.byteLength
        yield chunk
      }
    },
    isAtEnd: async () => {
      await fill()
      return rest.byteLength === 0
    },
    failure: () => failure,
  }
}
