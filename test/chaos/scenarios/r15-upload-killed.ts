import { readdirSync } from "node:fs"
import http from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { endService, startService } from "../../fixtures/service.ts"
import { withDeployment } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"

const MB = 2 ** 20

/**
 * Sends `megabytes` of a recording, and the end of the form if `isComplete`.
 * @returns the HTTP status, or 0 if the connection was closed
 */
const upload = (url: string, n: number, megabytes: number, isComplete: boolean): Promise<number> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const request = http.request(
      {
        hostname,
        port,
        path: "/jobs/audio",
        method: "POST",
        headers: { "content-type": "multipart/form-data; boundary=b" },
      },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      },
    )
    request.on("error", () => resolve(0))
    request.write(`--b\r\nContent-Disposition: form-data; name="file"; filename="${n}.wav"\r\n\r\nRIFF\0\0\0\0WAVE${n}`)
    const chunk = Buffer.alloc(MB, n)
    const send = (left: number): void => {
      if (left > 0) request.write(chunk, () => send(left - 1))
      else if (isComplete) request.end("\r\n--b--\r\n")
    }
    send(megabytes)
  })

export const r15: Scenario = {
  id: "R15",
  title: "kill -9 of the service during 20 uploads of 50 MB (half of each sent), after five complete ones",
  setups: EMBEDDED,
  run: (c) =>
    withDeployment(c, {}, async (deployment) => {
      const uploads = c.size(20, 3)
      const service = await startService(deployment.settings)
      const statuses = await Promise.all(Array.from({ length: 5 }, (_, i) => upload(service.url, 100 + i, 1, true)))
      c.check(
        "complete uploads are accepted",
        statuses.every((s) => s === 202),
        statuses.join(),
      )
      const files = () => readdirSync(join(deployment.dir, "uploads"))
      const countPartial = () => files().filter((f) => f.startsWith(".incoming")).length
      const sending = Array.from({ length: uploads }, (_, i) => upload(service.url, i, 25, false))
      while (countPartial() < uploads) await sleep(20)
      await sleep(500)
      const open = countPartial()
      await endService(service, "SIGKILL")
      await Promise.all(sending)
      const next = await startService(deployment.settings)
      c.check("no partial file is left", countPartial() === 0, countPartial())
      const jobs = await deployment.jobs()
      c.check(
        "there are as many jobs as files",
        jobs.length === 5 && files().length === 5,
        `${jobs.length} jobs, ${files().length} files`,
      )
      await endService(next)
      for (const { id } of jobs) {
        await deployment.store.jobs.cancel(id)
        deployment.accepted.add(id)
      }
      await deployment.checkInvariants({ clean: false })
      return `${open} partial files at the kill, 0 after the next start; ${jobs.length} jobs, ${files().length} files`
    }),
}
