import { readdirSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { endService, startService } from "../../fixtures/service.ts"
import { withDeployment } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"

/** Follows a job and reconnects after every event until the last one. @returns the number of connections */
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
  title: "100 clients each follow a job by server-sent events, and repeatedly disconnect and reconnect",
  setups: EMBEDDED,
  run: (c) =>
    withDeployment(c, { CHAOS_WAIT_MS: "100" }, async (deployment) => {
      const service = await startService(deployment.settings)
      await deployment.pool.start(2)
      const fds = () => readdirSync(`/proc/${service.process.pid}/fd`).length
      await fetch(`${service.url}/health`)
      const before = fds()
      const ids = await Promise.all(Array.from({ length: c.size(100, 10) }, () => deployment.submitJob()))
      const connections = await Promise.all(ids.map((id) => follow(service.url, id)))
      await deployment.waitUntilEnded()
      // Idle keep-alive connections of this process close after a while.
      for (const deadline = Date.now() + 20_000; fds() > before + 5 && Date.now() < deadline; ) await sleep(500)
      c.check(
        "the service holds no more open files than before",
        fds() <= before + 5,
        `${before} before, ${fds()} after`,
      )
      await deployment.checkInvariants()
      const total = connections.reduce((a, b) => a + b, 0)
      const summary = `${ids.length} of ${ids.length} received the end event, over ${total} connections; open files of the service ${before} before, ${fds()} after`
      await endService(service)
      return summary
    }),
}
