import { readdirSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { endService, startService } from "../../fixtures/service.ts"
import { withSite } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"

/** Follows a job, dropping the connection after every event until it is the last. @returns connections made */
const follow = async (url: string, id: string): Promise<number> => {
  for (let connections = 1; ; connections++) {
    const abort = new AbortController()
    const response = await fetch(`${url}/jobs/${id}/events`, {
      signal: abort.signal,
      headers: { "last-event-id": String(connections) },
    })
    let text = ""
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true })
        if (/^event: end\n/m.test(text)) return connections
        if (connections % 4 !== 0 && text.includes("\n\n")) break
      }
    } finally {
      abort.abort()
    }
    await sleep(50)
  }
}

export const r25: Scenario = {
  id: "R25",
  title: "100 clients follow a job each by server-sent events, drop the connection again and again and come back",
  brokers: EMBEDDED,
  run: (c) =>
    withSite(c, { CHAOS_WAIT_MS: "100" }, async (site) => {
      const service = await startService(site.settings)
      await site.pool.keep(2)
      const fds = () => readdirSync(`/proc/${service.process.pid}/fd`).length
      await fetch(`${service.url}/health`)
      const before = fds()
      const ids = await Promise.all(Array.from({ length: c.size(100, 10) }, () => site.give()))
      const connections = await Promise.all(ids.map((id) => follow(service.url, id)))
      await site.untilEnded()
      // Idle connections of this process are kept alive for a while.
      for (const deadline = Date.now() + 20_000; fds() > before + 5 && Date.now() < deadline; ) await sleep(500)
      c.check(
        "the service holds no more open files than before",
        fds() <= before + 5,
        `${before} before, ${fds()} after`,
      )
      await site.settle()
      const total = connections.reduce((a, b) => a + b, 0)
      const told = `${ids.length} of ${ids.length} were told the end, over ${total} connections; open files of the service ${before} before, ${fds()} after`
      await endService(service)
      return told
    }),
}
