import { createServer } from "node:http"
import { type OllamaServer, startOllamaServer } from "../../fixtures/ollama-server.ts"
import { listen } from "../../fixtures/web.ts"
import { type Site, withSite } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario, type ScenarioContext } from "../harness/scenario.ts"

/** How the model server fails: all its calls until it is mended, which gives nothing where no retry is needed. */
const FAULTS: Readonly<Record<string, (ollama: OllamaServer) => { mend?: () => void }>> = {
  "status 500": (ollama) => {
    ollama.fail(500, 1e6)
    return { mend: () => ollama.reset() }
  },
  hang: (ollama) => ({ mend: ollama.hold(() => true) }),
  "broken JSON": (ollama) => {
    ollama.garble(1e6)
    return {}
  },
  garbage: (ollama) => {
    ollama.say(...Array.from({ length: 5_000 }, () => '{"topics": "none", "title": 3}'))
    return {}
  },
}

const inState = (site: Site, state: string): number => site.jobs().filter((j) => j.status === state).length

/** A server that gives no answer: all end in error, and go on from the failed stage when they are retried. */
const refused = async (c: ScenarioContext, name: string, site: Site, jobs: number, mend?: () => void) => {
  const failed = inState(site, "error")
  c.check(`${name}: all end in error`, failed === jobs, failed)
  if (!mend) return `${failed} failed at the last attempt`
  mend()
  for (const { id } of site.jobs()) await site.store.jobs.retry(id)
  await site.untilEnded()
  const done = inState(site, "done")
  c.check(`${name}: done after a retry`, done === jobs, done)
  const heard = site.number("select max(attempt) from job_stages where stage = 'whisper'")
  c.check(`${name}: nobody listened again`, heard === 1, heard)
  return `${failed} failed at the last attempt, ${done} done after a retry`
}

/** A server whose answers are of no use: after one repair the builtin provider does that part, and the clip says so. */
const answered = (c: ScenarioContext, name: string, site: Site, jobs: number) => {
  const done = inState(site, "done")
  c.check(`${name}: all end done`, done === jobs, done)
  const marked = site.number("select count(*) from clips where tree like '%gave no usable answer%'")
  c.check(`${name}: each says what the model did not do`, marked === jobs, marked)
  return `${done} done by the builtin provider, ${marked} marked`
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
          const kept = site.number("select count(*) from transcripts")
          c.check(`${name}: transcripts are kept`, kept === jobs, kept)
          const most = Math.max(...site.attempts())
          const told =
            fault && !fault.mend ? answered(c, name, site, jobs) : await refused(c, name, site, jobs, fault?.mend)
          c.check(`${name}: at most 3 attempts`, most <= 3, most)
          await site.settle()
          return `${name}: ${told}, ${kept} transcripts kept`
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
    "model server down, answering 500, hanging, broken JSON, garbage: 20 jobs each; those that failed are retried when it is mended",
  brokers: EMBEDDED,
  run: async (c) => {
    const told = [await one(c, "down", true)]
    for (const name of Object.keys(FAULTS)) told.push(await one(c, name, false))
    return told.join("; ")
  },
}
