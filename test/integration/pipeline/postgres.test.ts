import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { ingest } from "#lib/services/documents/ingest.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { getReadiness } from "#lib/services/installation/readiness.ts"
import { query } from "#lib/services/search/query.ts"
import { searchLibrary } from "#lib/services/search/search-library.ts"
import { newJob } from "#lib/storage/stores/testing/fixtures.ts"
import { type Installation, openInstallation, type WorkerProcess } from "../../fixtures/installation.ts"
import { askPostgres, startPostgres } from "../../fixtures/postgres.ts"
import { speechWords } from "../../fixtures/speech-words.ts"

const ended = (job: JobRecord) => job.status === "done" || job.status === "error"
const POLL = { timeout: 10_000, interval: 50 }
const TRANSCRIPT = {
  words: [{ word: "bees", start: 0, end: 1, speaker: "0" }],
  duration_s: 1,
  language: "en",
  speech_engine: null,
  whisper_model: null,
  file_path: null,
}
const WITHOUT_PERSIST = STAGE_NAMES.filter((s) => s !== "persist")

let server: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.close())

describe("workers with PostgreSQL as store and queue", () => {
  let installation: Installation
  let stageWorker: WorkerProcess
  beforeAll(async () => {
    installation = await openInstallation({
      SERVICE_PROVIDER: "builtin",
      SERVICE_DATABASE_URL: await server.database(),
      SERVICE_LEASE_S: "2",
      SERVICE_HEARTBEAT_S: "0.5",
      SERVICE_SWEEP_S: "0.5",
    })
    ;[stageWorker] = await Promise.all([installation.worker(WITHOUT_PERSIST), installation.worker(["persist"])])
  })
  afterAll(() => installation.close())

  const { signal } = new AbortController()
  const submit = (name: string) =>
    installation.submit({
      source: `https://example.org/${encodeURIComponent(name)}`,
      transcription: speechWords({ subjects: 2 }),
      title: name,
    })

  it("run a job through all eight stages, each once, and find its words", async () => {
    expect([installation.store.kind, installation.node.broker?.kind]).toEqual(["postgres", "postgres"])
    const job = await installation.until(await submit("a talk"), ended)
    expect(job.error).toBeUndefined()
    expect(job.stage_attempts).toEqual(Object.fromEntries(STAGE_NAMES.map((s) => [s, 1])))

    const map = await installation.store.map.getSnapshot()
    expect(map.clips).toMatchObject([{ id: job.session_id, title: "a talk" }])
    const clip = (await installation.store.clips.get(job.session_id))!
    const vectors = await installation.store.map.getVectors(
      clip.embed_model!,
      map.topics.map((t) => t.hash),
    )
    // The map computes the vectors of the builtin embedder from the words.
    expect(vectors.size).toBe(0)
    const speech = await installation.store.map.getSpeech(map.topics.map((t) => t.speechHash))
    expect(speech.size).toBe(new Set(map.topics.map((t) => t.speechHash)).size)
    const word = clip.transcription.find((w) => w.word.length > 6)!.word
    // The sweeper of a worker has prepared the search by now.
    await sleep(1500)
    expect(await installation.store.library.prepare()).toBe(0)
    expect((await searchLibrary(installation.node, { q: word, limit: 5 })).words[0]?.clip_id).toBe(job.session_id)
  })

  it("answer questions about documents and clips", async () => {
    writeFileSync(
      join(installation.dir, "tides.txt"),
      "The tide at Saint-Malo rises by thirteen metres. Boats wait for the lock.",
    )
    expect(
      await ingest(installation.node, { paths: [join(installation.dir, "tides.txt")], prune: false }, { signal }),
    ).toMatchObject({
      ingested: 1,
      failed: [],
    })
    const answer = await query(
      installation.node,
      { question: "How far does the tide rise?", top_k: 3, scope: "all" },
      signal,
    )
    expect(answer.sources[0]?.chunk.metadata.source).toBe(join(installation.dir, "tides.txt"))
    expect(answer.answer).toContain("thirteen")
  })

  it("report the kind of store and what it lacks", async () => {
    const { checks } = await getReadiness(installation.node)
    expect(checks.store).toMatchObject({ state: "ok", picked: "postgres", detail: expect.stringContaining("pgvector") })
    expect(checks.broker).toMatchObject({ state: "ok", picked: "postgres" })
  })

  it("lose no job when a worker is killed and when the database restarts", { timeout: 120_000 }, async () => {
    await installation.worker(["persist"])
    const ids: string[] = []
    for (let i = 0; i < 12; i++) ids.push(await submit(`talk ${i}`))
    await installation.until(ids[2]!, ended, 60_000)
    stageWorker.kill("SIGKILL")
    await stageWorker.exited
    await server.stop()
    // The only worker for these stages starts without the database and waits for it.
    const restarted = installation.worker(WITHOUT_PERSIST)
    await sleep(2000)
    await server.start()
    await restarted
    for (const id of ids) {
      const job = await installation.until(id, ended, 60_000)
      expect(job.error).toBeUndefined()
    }
    expect((await installation.store.clips.list({ limit: 50 })).clips).toHaveLength(13)
  })
})

describe("a PostgreSQL that cannot be used", () => {
  const opening = (url: string, more: Record<string, string> = {}) =>
    openNode(
      loadConfig({ SERVICE_DATABASE_URL: url, SERVICE_DATA_DIR: "/nonexistent", ...more }),
      createLogger("silent", "test"),
    )

  it("is named without its password in an error with the next step", async () => {
    const failure = opening("postgres://me:secret@127.0.0.1:1/earmark")
    await expect(failure).rejects.toThrow(/127\.0\.0\.1:1\/earmark does not answer.*Start it/)
    await expect(failure).rejects.not.toThrow(/secret/)
    const other = () => loadConfig({ SERVICE_DATABASE_URL: "mysql://me:secret@host/x" })
    expect(other).toThrow(/SERVICE_DATABASE_URL .*postgres:\/\//)
    expect(other).not.toThrow(/secret/)
  })

  describe("a reachable PostgreSQL", () => {
    const dir = mkdtempSync(join(tmpdir(), "earmark-refused-"))
    afterAll(() => rmSync(dir, { recursive: true }))
    const runSql = (sql: string, database = "postgres") => askPostgres(server.url(database), sql)
    const openAt = async (url: string) => {
      const node = await opening(url, { SERVICE_DATA_DIR: dir })
      onTestFinished(() => node.close())
      return node
    }

    it("is rejected if its encoding is not UTF-8 or its address names a missing file", async () => {
      await runSql("create database old encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0")
      await expect(opening(server.url("old"))).rejects.toThrow(/encoding LATIN1.*createdb -E UTF8 -T template0/)
      await expect(opening(`${server.url("old")}?sslmode=verify-full&sslrootcert=/nope.pem`)).rejects.toThrow(
        /names a file that cannot be read \(\/nope\.pem\)/,
      )
    })

    it("asks for a restart if the database was recreated", async () => {
      const url = await server.database()
      const node = await openAt(url)
      const name = new URL(url).pathname.slice(1)
      await runSql(`drop database ${name} with (force)`)
      await vi.waitFor(
        () => expect(node.store!.jobs.countByStatus()).rejects.toThrow(/does not exist\. Create it: createdb/),
        POLL,
      )
      await runSql(`create database ${name}`)
      await vi.waitFor(
        () =>
          expect(node.store!.jobs.countByStatus()).rejects.toThrow(
            /lacks Earmark's tables.*Restart every Earmark process/,
          ),
        POLL,
      )
    })

    it("can be searched while it is read-only, and normalizes the query like the stored text", async () => {
      const url = await server.database()
      const { store } = await openAt(url)
      await store!.clips.saveTranscript(
        "bees",
        { title: "Keeping bees", source_url: null, file_path: null },
        TRANSCRIPT,
      )
      expect((await store!.library.search({ q: "bees", limit: 5 })).titles).toHaveLength(1)
      await store!.clips.saveTranscript("more", { title: "More bees", source_url: null, file_path: null }, TRANSCRIPT)
      const name = new URL(url).pathname.slice(1)
      await runSql(`alter database ${name} set default_transaction_read_only = on`)
      await runSql(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      await vi.waitFor(
        async () => expect((await store!.library.search({ q: "bees", limit: 5 })).titles).toHaveLength(1),
        POLL,
      )
      await expect(store!.jobs.submit(newJob())).rejects.toThrow(/is read-only \(a standby/)
      expect(await store!.clips.getTitle("be\0es")).toBe("Keeping bees")
    })
  })

  it("connects over TLS if the address says so, and explains how to fix a TLS failure", async () => {
    const url = await server.database()
    await expect(opening(`${url}?sslmode=verify-full`)).rejects.toThrow(/does not support TLS.*ssl = on/)

    const file = (name: string) => join(server.dir, name)
    const subject = ["-subj", "/CN=db", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    const out = ["-keyout", file("key.pem"), "-out", file("cert.pem")]
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...out, ...subject], { stdio: "ignore" })
    server.own(file("key.pem"))
    for (const [name, value] of Object.entries({ ssl: "on", ssl_cert_file: "cert.pem", ssl_key_file: "key.pem" }))
      await askPostgres(url, `alter system set ${name} = '${value.includes(".") ? file(value) : value}'`)
    await server.stop()
    await server.start()
    await expect(opening(`${url}?sslmode=verify-full`)).rejects.toThrow(/is not trusted.*sslrootcert=/)
    const dir = mkdtempSync(join(tmpdir(), "earmark-tls-"))
    onTestFinished(() => rmSync(dir, { recursive: true }))
    const node = await opening(`${url}?sslmode=verify-full&sslrootcert=${file("cert.pem")}`, { SERVICE_DATA_DIR: dir })
    onTestFinished(() => node.close())
    expect(await askPostgres(url, "select count(*)::int as n from pg_stat_ssl where ssl")).toEqual([
      { n: expect.toSatisfy((n: number) => n > 0) },
    ])
  })

  it("stops the start if its packages are missing", async () => {
    const failure = opening("postgres://127.0.0.1:1/earmark", { SERVICE_DISABLE_EXTRAS: "postgres" })
    await expect(failure).rejects.toThrow(/group 'postgres'.*npm install pg@/)
  })
})
