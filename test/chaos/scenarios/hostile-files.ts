import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { endService, type Service, startService } from "../../fixtures/service.ts"
import { type Scenario, SQLITE } from "../harness/scenario.ts"
import { generateFile } from "../hostile/generated-files.ts"
import { type HostileFile, listNamedFiles, makeNamedFile } from "../hostile/named-files.ts"

const MAX_ANSWER_MS = 20_000
const POLL_INTERVAL_MS = 20
/** A file that a service reads or refuses, but never fails with. */
const EXPECTED_STATUSES = [200, 413, 415, 422]

const readResidentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024

type Worst = { value: number; file: string }
const createMaximum = () => {
  const worst: Worst = { value: 0, file: "" }
  return { worst, note: (value: number, file: string) => value > worst.value && Object.assign(worst, { value, file }) }
}

/** Calls `probe` until stopped. */
const repeat = (probe: () => Promise<void>) => {
  let isStopped = false
  const ended = (async () => {
    for (; !isStopped; await sleep(POLL_INTERVAL_MS)) await probe()
  })()
  return async () => {
    isStopped = true
    await ended
  }
}

export const hostileFiles: Scenario = {
  id: "HOSTILE",
  title: "27 hostile documents and 500 generated ones are ingested one by one while GET /health is polled",
  setups: [SQLITE],
  run: async (c) => {
    const named = listNamedFiles()
    const generated = c.option("files", c.size(500, 12))
    const seed = c.option("seed", 1)
    // The short form runs beside other tests, which take processor time from the service.
    const [maxHealthMs, maxGrowthMb] = [c.size(100, 1000), c.size(100, 150)]
    const dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-hostile-")))
    const root = join(dir, "root")
    mkdirSync(root)
    const start = (data: string) => {
      mkdirSync(join(dir, data))
      return startService({
        SERVICE_DATA_DIR: join(dir, data),
        SERVICE_INGEST_ROOTS: root,
        SERVICE_LOG_LEVEL: "silent",
      })
    }
    // An idle service tells how long a request waits because of the load of the machine.
    const [service, idle] = await Promise.all([start("data"), start("idle")])
    try {
      const [health, idleHealth] = [createMaximum(), createMaximum()]
      const [memory, answers] = [createMaximum(), createMaximum()]
      const ingest = async ({ name, content }: HostileFile) => {
        writeFileSync(join(root, name), content)
        const start = performance.now()
        const response = await fetch(`${service.url}/ingest`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ paths: [join(root, name)] }),
        })
        await response.text()
        answers.note(performance.now() - start, name)
        rmSync(join(root, name))
        return response.status
      }
      // The first requests load code, which is neither a wait nor growth by a file.
      for (const name of ["warm.md", "warm.html"])
        await ingest({ name, content: Array.from({ length: 3000 }, (_, i) => `Sentence ${i} is here.`).join(" ") })
      const baseMb = readResidentMb(service.process.pid!)
      Object.assign(answers.worst, { value: 0 })
      let current = ""
      const poll = ({ url }: Service, maximum: ReturnType<typeof createMaximum>) =>
        repeat(async () => {
          const [start, file] = [performance.now(), current]
          await (await fetch(`${url}/health`)).text()
          // While this process makes a file, it reads no answers.
          if (file === "" || file !== current) return
          maximum.note(performance.now() - start, file)
          memory.note(readResidentMb(service.process.pid!) - baseMb, file)
        })
      const polls = [poll(service, health), poll(idle, idleHealth)]
      const statuses = new Map<number, number>()
      const files = function* () {
        for (const name of c.isShort ? named.filter((_, i) => i % 3 === 0) : named) yield makeNamedFile(name)
        for (let n = 0; n < generated; n++) yield generateFile(seed, n)
      }
      let count = 0
      for (const file of files()) {
        // Making a file blocks this process, which is no wait for the service.
        await sleep(2 * POLL_INTERVAL_MS)
        current = file.name
        const status = await ingest(file)
        current = ""
        count++
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        c.check(`${file.name} is read or refused`, EXPECTED_STATUSES.includes(status), status)
      }
      await Promise.all(polls.map((stop) => stop()))
      c.check(
        `GET /health waits at most ${maxHealthMs} ms longer than at an idle service`,
        health.worst.value - idleHealth.worst.value <= maxHealthMs,
        `${describe(health.worst, "ms")}, idle ${describe(idleHealth.worst, "ms")}`,
      )
      c.check(
        `the web process grows by at most ${maxGrowthMb} MB`,
        memory.worst.value <= maxGrowthMb,
        describe(memory.worst, "MB"),
      )
      c.check(
        `each answer takes at most ${MAX_ANSWER_MS / 1000} s`,
        answers.worst.value <= MAX_ANSWER_MS,
        describe(answers.worst, "ms"),
      )
      c.check("the service runs", service.process.exitCode === null)
      const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status}`)
      return `${count} files (${counts.join(", ")}): longest wait for /health ${describe(health.worst, "ms")}, at an idle service on the same machine ${describe(idleHealth.worst, "ms")}, growth of the web process ${describe(memory.worst, "MB")}, longest answer ${describe(answers.worst, "ms")}`
    } finally {
      await Promise.all([service, idle].map((s) => endService(s, "SIGKILL")))
      rmSync(dir, { recursive: true })
    }
  },
}

const describe = ({ value, file }: Worst, unit: string): string => `${Math.round(value)} ${unit} (${file})`
