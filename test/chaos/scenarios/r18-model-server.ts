import { createServer } from "node:http"
import { type OllamaServer, startOllamaServer } from "../../fixtures/ollama-server.ts"
import { listen } from "../../fixtures/web.ts"
import { type Deployment, withDeployment } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario, type ScenarioContext } from "../harness/scenario.ts"

/** Makes every call to the model server fail. `repair` is missing if no retry is needed. */
const FAULTS: Readonly<Record<string, (ollama: OllamaServer) => { repair?: () => void }>> = {
  "status 500": (ollama) => {
    ollama.fail(500, 1e6)
    return { repair: () => ollama.reset() }
  },
  hang: (ollama) => ({ repair: ollama.hold(() => true) }),
  "broken JSON": (ollama) => {
    ollama.garble(1e6)
    return {}
  },
  garbage: (ollama) => {
    ollama.queueAnswers(...Array.from({ length: 5_000 }, () => '{"topics": "none", "title": 3}'))
    return {}
  },
}

/** Without an answer, all jobs fail, and resume at the failed stage when they are retried. */
const expectFailures = async (
  c: ScenarioContext,
  name: string,
  deployment: Deployment,
  jobs: number,
  repair?: () => void,
) => {
  const failed = await deployment.countJobs("error")
  c.check(`${name}: all jobs fail`, failed === jobs, failed)
  if (!repair) return `${failed} failed at the last attempt`
  repair()
  for (const { id } of await deployment.jobs()) await deployment.store.jobs.retry(id)
  await deployment.waitUntilEnded()
  const done = await deployment.countJobs("done")
  c.check(`${name}: done after a retry`, done === jobs, done)
  const transcribed = await deployment.number("select max(attempt) from job_stages where stage = 'whisper'")
  c.check(`${name}: no recording is transcribed again`, transcribed === 1, transcribed)
  return `${failed} failed at the last attempt, ${done} done after a retry`
}

/** After a second unusable answer the builtin provider replaces the result, with a note on the clip. */
const expectFallback = async (c: ScenarioContext, name: string, deployment: Deployment, jobs: number) => {
  const done = await deployment.countJobs("done")
  c.check(`${name}: all jobs are done`, done === jobs, done)
  const marked = await deployment.number(
    "select count(*) from clips where cast(tree as text) like '%gave no usable answer%'",
  )
  c.check(`${name}: each clip has a note`, marked === jobs, marked)
  return `${done} done by the builtin provider, ${marked} marked as such`
}

const runFault = (c: ScenarioContext, name: string, down: boolean): Promise<string> => {
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
      return await withDeployment(
        c,
        { SERVICE_PROVIDER: "ollama", SERVICE_OLLAMA_BASE_URL: url, SERVICE_MODEL_TIMEOUT_S: "1" },
        async (deployment) => {
          const fault = down ? null : FAULTS[name]!(ollama)
          await deployment.pool.start(2)
          for (let i = 0; i < jobs; i++) await deployment.submitJob()
          await deployment.waitUntilEnded()
          const transcripts = await deployment.number("select count(*) from transcripts")
          c.check(`${name}: transcripts are kept`, transcripts === jobs, transcripts)
          const maxAttempts = Math.max(...(await deployment.attempts()))
          const summary =
            fault && !fault.repair
              ? await expectFallback(c, name, deployment, jobs)
              : await expectFailures(c, name, deployment, jobs, fault?.repair)
          c.check(`${name}: at most 3 attempts`, maxAttempts <= 3, maxAttempts)
          await deployment.checkInvariants()
          return `${name}: ${summary}, ${transcripts} transcripts kept`
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
    "model server down, answering 500, hanging, broken JSON, garbage: 20 jobs each; failed jobs are retried when it works again",
  setups: EMBEDDED,
  run: async (c) => {
    const summary = [await runFault(c, "down", true)]
    for (const name of Object.keys(FAULTS)) summary.push(await runFault(c, name, false))
    return summary.join("; ")
  },
}
