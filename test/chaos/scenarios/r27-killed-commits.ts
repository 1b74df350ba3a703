import { spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { SUBMITTER } from "../harness/bundle.ts"
import { withSite } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"

export const r27: Scenario = {
  id: "R27",
  title: "a process that commits without end is killed (kill -9) 200 times; WAL, synchronous=NORMAL",
  brokers: EMBEDDED,
  run: (c) =>
    withSite(c, {}, async (site) => {
      const kills = c.size(200, 6)
      const told: string[] = []
      const one = async (): Promise<void> => {
        const child = spawn(process.execPath, [SUBMITTER, site.raw.name, "loop"], {
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
        told.push(...text.split("\n").slice(0, -1))
      }
      for (let i = 0; i < kills; i += 2) await Promise.all([one(), one()])
      const there = new Set(site.jobs().map((j) => j.id))
      const missing = told.filter((id) => !there.has(id)).length
      c.check("every commit that was told is there", missing === 0, missing)
      const half = site.number(
        "select count(*) from jobs where (select count(*) from job_stages s where s.job_id = jobs.id) <> 8",
      )
      c.check("no half job", half === 0, half)
      c.check("integrity_check", site.raw.pragma("integrity_check", { simple: true }) === "ok")
      return `${kills} kills; ${told.length} commits were told, ${missing} of them missing; ${there.size} jobs, ${half} half ones`
    }),
}
