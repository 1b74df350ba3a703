import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { endService, startService } from "../../fixtures/service.ts"
import { openSite } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"

const MB = 2 ** 20
const longTalk = Array.from({ length: 20_000 }, (_, i) => ({
  word: `word${i % 997}`,
  start: i / 10,
  end: i / 10 + 0.1,
  speaker: "0",
}))

const upload = async (url: string, megabytes: number): Promise<number> => {
  const form = new FormData()
  form.append("file", new Blob([`RIFF`, Buffer.alloc(megabytes * MB, 7)]), "talk.wav")
  return (await fetch(`${url}/jobs/audio`, { method: "POST", body: form })).status
}

export const r13: Scenario = {
  id: "R13",
  title: "a disk of 64 MB (tmpfs, mounted as root) runs full during an upload, and before a commit; then room is made",
  brokers: EMBEDDED,
  run: async (c) => {
    const disk = mkdtempSync(join(tmpdir(), "earmark-disk-"))
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "earmark", disk])
    try {
      const data = join(disk, "data")
      mkdirSync(data)
      const site = await openSite(c, {}, data)
      try {
        const service = await startService(site.settings)
        const uploaded = await upload(service.url, 80)
        c.check("the upload is 507", uploaded === 507, uploaded)
        await endService(service)

        const id = await site.give("good", { transcription: longTalk })
        const { bavail, bsize } = statfsSync(disk)
        writeFileSync(join(disk, "filler"), Buffer.alloc(bavail * bsize))
        await site.pool.keep(1)
        await site.untilEnded(60_000)
        const full = await site.job(id)
        c.check(
          "the job ends in error with a sentence",
          /disk .* is full/.test(full.error?.detail ?? ""),
          full.error?.detail,
        )
        rmSync(join(disk, "filler"))
        await site.store.jobs.retry(id)
        for (let i = 0; i < 5; i++) await site.give()
        await sleep(200)
        await site.untilEnded(60_000)
        const done = site.jobs().filter((j) => j.status === "done").length
        c.check("after room was made all are done", done === 6, done)
        await site.settle()
        return `upload ${uploaded}; the job failed with “${full.error?.detail.split(".")[0]}”; after room was made ${done} of 6 done`
      } finally {
        await site.close()
      }
    } finally {
      execFileSync("umount", [disk])
      rmSync(disk, { recursive: true })
    }
  },
}
