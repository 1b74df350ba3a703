export type ServerEvent = { readonly event: string; readonly data: string }

/** Reads a stream of server-sent events (WHATWG HTML, 9.2): comments and ids are passed over. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader()
  let rest = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += value
      const blocks = rest.split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ""
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const parseEvent = (block: string): ServerEvent | null => {
  let event = "message"
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ""] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === "event") event = value
    else if (field === "data") data.push(value)
  }
  return data.length > 0 ? { event, data: data.join("\n") } : null
}
