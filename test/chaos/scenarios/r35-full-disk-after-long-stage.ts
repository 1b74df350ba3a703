import { appendFileSync, chmodSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { askPostgres } from "../../fixtures/postgres.ts"
import { EMBEDDED, type Scenario, type ScenarioContext } from "../harness/scenario.ts"
import { openStoreDeployment, startSlowSpeechServer, withSmallDisk } from "../harness/store-deployment.ts"

/** Fills a disk, also if the database takes space at the same time. */
const fill = (folder: string): string => {
  const filler = join(folder, "filler")
  try {
    for (;;) appendFileSync(filler, Buffer.alloc(2 ** 16))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
  }
  return filler
}

/** Moves the tables of every further database to the small disk. The journal stays, as in a server with two disks. */
const moveTables = async ({ postgres }: ScenarioContext, folder: string): Promise<void> => {
  if (!postgres) return
  chmodSync(folder, 0o755)
  const tables = join(folder, "tables")
  postgres.ownFolder(tables)
  await askPostgres(postgres.url("postgres"), `create tablespace small location '${tables}'`)
  await askPostgres(postgres.url("postgres"), "alter database template1 set tablespace small")
}

export const r35: Scenario = {
  id: "R35",
  title: "the disk of the database (tmpfs, mounted as root) is full for 30 s when a transcription ends",
  setups: EMBEDDED,
  run: (c) =>
    withSmallDisk(64, async (disk) => {
      await moveTables(c, disk)
      const speech = await startSlowSpeechServer({ words: 40_000 })
      const settings = { ...speech.env, SERVICE_LEASE_S: "4", SERVICE_SWEEP_S: "0.5" }
      const at = c.postgres ? undefined : join(disk, "data")
      const deployment = await openStoreDeployment(c, settings, at)
      try {
        await deployment.worker()
        const id = await deployment.submitRecording()
        await speech.waitUntilAsked()
        const filler = fill(disk)
        speech.answer()
        await sleep(c.size(30_000, 6_000))
        const during = await deployment.job(id)
        rmSync(filler)
        const freedAt = Date.now()
        const [job] = await deployment.waitUntilEnded()
        const resumedMs = Date.now() - freedAt
        c.check("no attempt is charged", job!.stage_attempts.whisper === 1, job!.stage_attempts.whisper)
        c.check("the recording is transcribed once", speech.transcriptions() === 1, speech.transcriptions())
        await deployment.checkInvariants()
        const reason = during.progress?.waiting?.reason ?? ""
        c.check("the job says that the disk is full", /disk .* is full/.test(reason), reason)
        return `${job!.status} ${(resumedMs / 1000).toFixed(1)} s after space was freed, transcribed ${speech.transcriptions()} time, at attempt ${job!.stage_attempts.whisper}; meanwhile the job said that the disk is full`
      } finally {
        await deployment.close()
        await speech.close()
      }
    }),
}
