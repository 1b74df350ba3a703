import { spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { SUBMITTER } from "../harness/bundle.ts"
import { withDeployment } from "../harness/deployment.ts"
import { type Scenario, SQLITE } from "../harness/scenario.ts"

export const r27: Scenario = {
  id: "R27",
  title: "a process that commits continuously is killed (kill -9) 200 times; WAL, synchronous=NORMAL",
  setups: [SQLITE],
  run: (c) =>
    withDeployment(c, {}, async (deployment) => {
      const kills = c.size(200, 6)
      const summary: string[] = []
      const killOne = async (): Promise<void> => {
        const child = spawn(process.execPath, [SUBMITTER, deployment.sqlite.name, "loop"], {
          stdio: ["ignore", "pipe", "inherit"],
        })
        const ended = once(child, "close")
        let text = ""
        child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk
        })
        await once(child.stdout, "data")
        await sleep(Math.random() * 30)
        child.kill("SIGKILL")
        await ended
        summary.push(...text.split("\n").slice(0, -1))
      }
      for (let i = 0; i < kills; i += 2) await Promise.all([killOne(), killOne()])
      const stored = new Set((await deployment.jobs()).map((j) => j.id))
      const missing = summary.filter((id) => !stored.has(id)).length
      c.check("every acknowledged commit is stored", missing === 0, missing)
      const partial = await deployment.number(
        "select count(*) from jobs where (select count(*) from job_stages s where s.job_id = jobs.id) <> 8",
      )
      c.check("no job is stored partially", partial === 0, partial)
      c.check("integrity_check", deployment.sqlite.pragma("integrity_check", { simple: true }) === "ok")
      return `${kills} kills; ${summary.length} commits were acknowledged, ${missing} of them missing; ${stored.size} jobs, ${partial} incomplete`
    }),
}
