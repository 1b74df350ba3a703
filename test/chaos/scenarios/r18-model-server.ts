import { createServer } from "node:http"
import { type OllamaServer, startOllamaServer } from "../../fixtures/ollama-server.ts"
import { listen } from "../../fixtures/web.ts"
import { EMBEDDED, type Scenario, type ScenarioContext } from "../harness/scenario.ts"
import { withSite } from "../harness/site.ts"

/** How the model server fails: all its calls until `mend`. */
const FAULTS: Readonly<Record<string, (ollama: OllamaServer) => { url?: string; mend: () => void }>> = {
  "status 500": (ollama) => {
    ollama.fail(500, 1e6)
    return { mend: () => ollama.reset() }
  },
  hang: (ollama) => ({ mend: ollama.hold(() => true) }),
  "broken JSON": (ollama) => {
    ollama.garble(1e6)
    return { mend: () => ollama.reset() }
  },
  garbage: (ollama) => {
    ollama.say(...Array.from({ length: 5_000 }, () => '{"topics": "none", "title": 3}'))
    return { mend: () => ollama.reset() }
  },
}

const one = (c: ScenarioContext, name: string, down: boolean): Promise<string> => {
  const jobs = c.size(20, 3)
  return (async () => {
    const ollama = await startOllamaServer()
    let url = ollama.url
    if (down) {
      const server = createServer()
      url = await listen(server)
      server.close()
    }
    try {
      return await withSite(
        c,
        { SERVICE_PROVIDER: "ollama", SERVICE_OLLAMA_BASE_URL: url, SERVICE_MODEL_TIMEOUT_S: "1" },
        async (site) => {
          const fault = down ? null : FAULTS[name]!(ollama)
          await site.pool.keep(2)
          for (let i = 0; i < jobs; i++) await site.give()
          await site.untilEnded()
          const failed = site.jobs().filter((j) => j.status === "error").length
          c.check(`${name}: all end in error`, failed === jobs, failed)
          const kept = site.number("select count(*) from transcripts")
          c.check(`${name}: transcripts are kept`, kept === jobs, kept)
          const most = Math.max(...site.attempts())
          c.check(`${name}: at most 3 attempts`, most <= 3, most)
          if (fault) {
            fault.mend()
            for (const { id } of site.jobs()) await site.store.retryJob(id)
            await site.untilEnded()
            const done = site.jobs().filter((j) => j.status === "done").length
            c.check(`${name}: done after a retry`, done === jobs, done)
            const heard = site.number("select max(attempt) from job_stages where stage = 'whisper'")
            c.check(`${name}: nobody listened again`, heard === 1, heard)
          }
          await site.settle()
          return `${name}: ${failed} failed at attempt ${most}, ${kept} transcripts kept${fault ? ", all done after a retry" : ""}`
        },
      )
    } finally {
      await ollama.close()
    }
  })()
}

export const r18: Scenario = {
  id: "R18",
  title:
    "model server down, answering 500, hanging, broken JSON, garbage: 20 jobs each; then it is mended and they are retried",
  brokers: EMBEDDED,
  run: async (c) => {
    const told = [await one(c, "down", true)]
    for (const name of Object.keys(FAULTS)) told.push(await one(c, name, false))
    return told.join("; ")
  },
}
