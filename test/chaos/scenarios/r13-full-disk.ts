import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { endService, startService } from "../../fixtures/service.ts"
import { openDeployment } from "../harness/deployment.ts"
import { type Scenario, SQLITE } from "../harness/scenario.ts"

const MB = 2 ** 20
const longTalk = Array.from({ length: 20_000 }, (_, i) => ({
  word: `word${i % 997}`,
  start: i / 10,
  end: i / 10 + 0.1,
  speaker: "0",
}))

const upload = async (url: string, megabytes: number): Promise<number> => {
  const form = new FormData()
  form.append("file", new Blob(["RIFF\0\0\0\0WAVE", Buffer.alloc(megabytes * MB, 7)]), "talk.wav")
  return (await fetch(`${url}/jobs/audio`, { method: "POST", body: form })).status
}

export const r13: Scenario = {
  id: "R13",
  title: "a 64 MB disk (tmpfs, mounted as root) fills up during an upload and before a commit; then space is freed",
  setups: [SQLITE],
  run: async (c) => {
    const disk = mkdtempSync(join(tmpdir(), "earmark-disk-"))
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "earmark", disk])
    try {
      const data = join(disk, "data")
      mkdirSync(data)
      const deployment = await openDeployment(c, { SERVICE_UPLOAD_RESERVE_MB: "0" }, data)
      try {
        const service = await startService(deployment.settings)
        const uploaded = await upload(service.url, 80)
        c.check("the upload is 507", uploaded === 507, uploaded)
        await endService(service)

        const id = await deployment.submitJob("good", { transcription: longTalk })
        const { bavail, bsize } = statfsSync(disk)
        writeFileSync(join(disk, "filler"), Buffer.alloc(bavail * bsize))
        await deployment.pool.start(1)
        const full = await deployment.until(id, (job) => job.progress?.waiting !== undefined, 60_000)
        const reason = full.progress?.waiting?.reason ?? ""
        c.check("the job says that the disk is full", /disk .* is full/.test(reason), reason)
        rmSync(join(disk, "filler"))
        for (let i = 0; i < 5; i++) await deployment.submitJob()
        await sleep(200)
        await deployment.waitUntilEnded(60_000)
        const done = await deployment.countJobs("done")
        c.check("all jobs are done after space is freed", done === 6, done)
        await deployment.checkInvariants()
        return `upload ${uploaded}; the job waited with “${reason.split(".")[0]}”; after space was freed ${done} of 6 done`
      } finally {
        await deployment.close()
      }
    } finally {
      execFileSync("umount", [disk])
      rmSync(disk, { recursive: true })
    }
  },
}
