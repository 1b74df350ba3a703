import { once } from "node:events"
import { createServer, request as requestHttp } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

export type SeenCall = { readonly path: string; readonly body: Record<string, unknown> | null; status: number | null }

/** A proxy in front of a model server that counts the requests that are open at the same time. */
export type CountingProxy = {
  readonly url: string
  readonly calls: readonly SeenCall[]
  /** The maximum number of open requests since the last reset. */
  readonly peak: () => number
  reset(): void
  close(): Promise<void>
}

export const startCountingProxy = async (target: string): Promise<CountingProxy> => {
  const calls: SeenCall[] = []
  let open = 0
  let peak = 0
  const server = createServer(async (incoming, outgoing) => {
    peak = Math.max(peak, ++open)
    outgoing.once("close", () => open--)
    const body = await buffer(incoming)
    const call: SeenCall = {
      path: incoming.url ?? "",
      body: body.length > 0 ? JSON.parse(`${body}`) : null,
      status: null,
    }
    calls.push(call)
    const { host: _, ...headers } = incoming.headers
    const forwarded = requestHttp(new URL(call.path, target), { method: incoming.method, headers }, (response) => {
      call.status = response.statusCode ?? 0
      outgoing.writeHead(call.status, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on("error", () => outgoing.destroy())
    outgoing.once("close", () => forwarded.destroy())
    forwarded.end(body)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    peak: () => peak,
    reset: () => {
      calls.length = 0
      peak = open
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}
