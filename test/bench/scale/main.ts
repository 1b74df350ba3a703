import { parseArgs } from "node:util"
import { newId } from "#lib/domain/ids.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { openPostgres, type PostgresHandle } from "#lib/storage/database/postgres/open.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { claim, newJob, resultOf } from "#lib/storage/stores/testing/fixtures.ts"
import { migrationsDir, startPostgres } from "../../fixtures/postgres.ts"
import { bytesOfARecording } from "./sizes.ts"

const PART = 50_000
const LONG_MS = 3_600_000
/** Of the jobs, so many are under way; the rest ended long ago. */
const UNDER_WAY = 10_000
const TOPICS = 20
const ROUNDS = 9

const print = (figures: object): void => console.log(JSON.stringify(figures))
const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits))

const QUEUE = `
  insert into jobs (id, session_id, title, source, options, status, created_at, started_at, finished_at)
    select 'old-' || n, gen_random_uuid()::text, 'Talk ' || n, '{"kind":"file","path":"/talk.wav"}', '{}',
      case when n % 50 = 0 then 'error' else 'done' end, n, n + 1, n + 2 from generate_series($FROM, $TO) n;
  insert into job_stages (job_id, stage, state, next, joins, max_attempts, attempt, tries, messages, began_at, ended_at)
    select 'old-' || n, s, 'done', '[]', '[]', 3, 1, 1, 1, n, n + 1 from generate_series($FROM, $TO) n,
      unnest(array['whisper','l1','decide','l2','summarize_l1','summarize_l2','l0','persist']) s`

const LIBRARY = `
  insert into clips (id, title, duration_s, created_at, tree) select 'clip-' || n, 'Talk ' || n, 1800, n, '{"topics":[]}'
    from generate_series($FROM, $TO) n;
  insert into topics (clip_id, ordinal, level, number, title, summary, start_s, duration_s, hash)
    select 'clip-' || n, t, 2, '1.' || t, 'topic ' || md5(n || '.' || t), 'About ' || md5((n * t)::text), t * 90, 90, md5(n || '/' || t)
    from generate_series($FROM, $TO) n, generate_series(1, ${TOPICS}) t;
  insert into findables (clip_id, kind, text, number, start_s, stems, stem_count)
    select 'clip-' || n, 'title', 'Talk ' || n, null, 0, to_tsvector('simple', 'talk ' || n), 2 from generate_series($FROM, $TO) n;
  insert into findables (clip_id, kind, text, number, start_s, stems, stem_count)
    select 'clip-' || n, 'topic', w, '1.' || t, t * 90, to_tsvector('simple', w), 6 from generate_series($FROM, $TO) n,
      generate_series(1, ${TOPICS}) t, lateral (select 'about subject' || (n * t) % 997 || ' and theme' || (n + t) % 9973 || ' at place' || n) w (w)`

const fill = async ({ pool }: PostgresHandle, sql: string, count: number): Promise<void> => {
  for (let from = 1; from <= count; from += PART) {
    const to = Math.min(count, from + PART - 1)
    const text = sql.replaceAll("$FROM", String(from)).replaceAll("$TO", String(to))
    const query = { text, query_timeout: LONG_MS } as { text: string }
    await pool.query(query)
  }
}

/** Has every later connection tell its plans: auto_explain is part of PostgreSQL; the user must be its superuser. */
const tellPlans = async ({ pool, place }: PostgresHandle): Promise<void> => {
  const database = place.split("/").at(-1)!
  const settings = { log_min_duration: "0", log_analyze: "on", log_buffers: "on", log_level: "notice" }
  await pool.query(`alter database ${database} set session_preload_libraries = 'auto_explain'`)
  for (const [name, value] of Object.entries(settings))
    await pool.query(`alter database ${database} set auto_explain.${name} = '${value}'`)
}

/** What was told since the last question: the slowest statement with what PostgreSQL did. */
const hearPlans = async ({ pool }: PostgresHandle): Promise<() => string> => {
  const plans: { ms: number; text: string }[] = []
  const client = await pool.connect()
  client.on("notice", ({ message = "" }) => {
    const ms = Number(/^duration: ([\d.]+) ms/.exec(message)?.[1] ?? 0)
    if (ms > 0) plans.push({ ms, text: message })
  })
  client.release()
  return () => plans.splice(0).sort((x, y) => y.ms - x.ms)[0]?.text ?? ""
}

/**
 * What the store's own operations take on PostgreSQL when very many jobs have been, and over a large library.
 * `--jobs 1000000 --clips 20000` are the figures of docs/scale.md; `--plans` adds what PostgreSQL did (EXPLAIN ANALYZE) for
 * the slowest statement of each. `--url postgres://…` names an empty database; else one of its own is started.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      jobs: { type: "string", default: "1000000" },
      clips: { type: "string", default: "20000" },
      url: { type: "string" },
      plans: { type: "boolean", default: false },
    },
  })
  const [jobs, clips] = [Number(values.jobs), Number(values.clips)]
  const server = values.url === undefined ? await startPostgres() : null
  const url = values.url ?? (await server!.database())
  // One connection, so that it is the one whose plans are heard.
  const open = () => openPostgres({ url, migrationsDir, log: createLogger("error", "bench"), connections: 1 })
  try {
    const filling = await open()
    const from = performance.now()
    await fill(filling, QUEUE, jobs)
    await fill(filling, LIBRARY, clips)
    await filling.pool.query({ text: "vacuum analyze", query_timeout: LONG_MS } as { text: string })
    const { rows } = await filling.pool.query("select pg_database_size(current_database()) as bytes")
    const gib = rounded((rows[0] as { bytes: number }).bytes / 2 ** 30, 2)
    print({
      bench: "scale",
      jobs,
      stages: jobs * 8,
      clips,
      topics: clips * TOPICS,
      gib,
      fill_s: rounded((performance.now() - from) / 1000),
    })
    if (values.plans) await tellPlans(filling)
    await filling.close()

    const handle = await open()
    const slowest = values.plans ? await hearPlans(handle) : null
    const store = openPostgresStore(handle)
    const measure = async (what: string, work: () => Promise<unknown>, rounds = ROUNDS): Promise<void> => {
      const times: number[] = []
      for (let i = 0; i < rounds; i++) {
        const begun = performance.now()
        await work()
        times.push(performance.now() - begun)
      }
      const sorted = times.toSorted((a, b) => a - b)
      const figures = { p50_ms: rounded(sorted[Math.floor(rounds / 2)]!), most_ms: rounded(sorted.at(-1)!) }
      print({ bench: "scale", what, ...figures, ...(slowest && { plan: slowest() }) })
    }
    await measure("submit a job", () => store.jobs.submit(newJob()))
    const underWay = Array.from({ length: Math.min(UNDER_WAY, jobs) }, () => newId())
    for (const jobId of underWay) await store.jobs.submit(newJob({ jobId }))
    await measure("outbox: 100 that are due", () => store.outbox.listDue(100))
    for (;;) {
      const due = await store.outbox.listDue(1_000)
      if (due.length === 0) break
      await store.outbox.markPublished(due.map((m) => m.id))
    }
    await measure("outbox: none is due", () => store.outbox.listDue(100))
    await measure("claim and complete a stage", async () => {
      const held = await claim(store, underWay.pop()!, "whisper")
      await store.stages.complete(held, resultOf("whisper"))
    })
    await measure("sweep", () => store.stages.sweep())
    await measure("queued since (readiness, metrics)", () => store.stages.getQueuedSince())
    await measure("jobs by status (metrics)", () => store.jobs.countByStatus())
    await measure("newest 50 jobs", () => store.jobs.list({ limit: 50 }))
    await measure("newest 50 jobs in error", () => store.jobs.list({ limit: 50, status: "error" }))
    await measure("newest 50 clips", () => store.clips.list({ limit: 50 }))
    await measure("search: a rare word", () => store.library.search({ q: "place77", limit: 20 }))
    await measure("search: two words", () => store.library.search({ q: "subject77 theme105", limit: 20 }))
    await measure("search: a word of every topic", () => store.library.search({ q: "about", limit: 20 }), 3)
    await measure("the map: all topics read", () => store.map.getSnapshot(), 3)
    await store.close()
    if (server)
      print({
        bench: "scale",
        what: "bytes of a recording of half an hour",
        ...(await bytesOfARecording(await server.database())),
      })
  } finally {
    await server?.close()
  }
}
