import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { finish, newJob } from "#lib/storage/stores/testing/fixtures.ts"
import type { Library } from "../random/library.ts"
import type { Operation } from "./openapi.ts"
import type { Specials } from "./values.ts"

/** How many requests are sent before the IDs of what exists are read again. */
const REFRESH_EVERY = 20
const MIN_CLIPS = 3

const wav = (samples: number): Buffer => {
  const head = Buffer.from(
    "RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\0\0\0\0",
    "latin1",
  )
  head.writeUInt32LE(36 + samples * 2, 4)
  head.writeUInt32LE(samples * 2, 40)
  return Buffer.concat([head, Buffer.alloc(samples * 2)])
}

type Ids = { clips: string[]; jobs: string[]; documents: string[]; runs: string[]; edits: string[]; cursors: string[] }

/** An installation that generated requests are sent to. It is filled again when requests have deleted what was there. */
export const createTarget = ({ deps: { store, index }, folder }: Library) => {
  const recordings = join(folder, "recordings")
  mkdirSync(recordings, { recursive: true })
  writeFileSync(join(folder, "bees.md"), "# Bees\n\nThe waggle dance encodes direction and distance.\n")
  const ids: Ids = { clips: [], jobs: [], documents: [], runs: [], edits: [], cursors: [] }
  let sent = 0

  const addRecording = async (): Promise<void> => {
    const path = join(recordings, `${Date.now()}-${Math.random()}.wav`)
    writeFileSync(path, wav(800))
    const { job_id } = await store.jobs.submit(newJob({ source: { kind: "file", path } }))
    await finish(store, job_id, ...STAGE_NAMES)
  }

  const refresh = async (): Promise<void> => {
    for (let missing = MIN_CLIPS - (await store.clips.list({ limit: 200 })).clips.length; missing > 0; missing--)
      await addRecording()
    const { clips } = await store.clips.list({ limit: 20 })
    const { jobs, next_cursor } = await store.jobs.list({ limit: 20 })
    ids.clips = clips.map(({ id }) => id)
    ids.jobs = jobs.map(({ job_id }) => job_id)
    const { jobs: done } = await store.jobs.list({ limit: 5, status: "done" })
    ids.jobs.push(...done.map(({ job_id }) => job_id))
    ids.documents = (await index.listFiles()).slice(0, 20).map(({ id }) => id)
    ids.cursors = next_cursor === undefined ? ["x"] : [next_cursor]
    const [clip] = ids.clips
    ids.runs = ((await store.topics.listRuns(clip!)) ?? []).map(({ id }) => id)
    ids.edits = ((await store.topics.get(clip!))?.edits ?? []).map(({ id }) => id)
  }

  const nonEmpty = (values: readonly string[]): readonly unknown[] => (values.length > 0 ? values : ["none"])
  const shared: Specials = {
    job_id: () => nonEmpty(ids.jobs),
    clip_id: () => nonEmpty(ids.clips),
    a: () => nonEmpty(ids.runs),
    b: () => ["shown", ...ids.runs],
    run: () => nonEmpty(ids.runs),
    edit: () => nonEmpty(ids.edits),
    edit_id: () => [1, 2, 3, 4],
    topic: () => ["1", "1.1", "1.2", "1.1.1", "1.9"],
    cursor: () => nonEmpty(ids.cursors),
    transcription: () => [
      [{ word: "Hello", start: 0, end: 0.5, speaker: "0" }],
      "1\n00:00:00,000 --> 00:00:01,000\nHello\n",
    ],
    name: () => ["whisper-tiny", "whisper-base", "absent"],
    url: () => ["http://127.0.0.1:1/feed", "ftp://example.org/feed", "https://feed.invalid/rss"],
    q: () => ["one", "two three", "dance"],
    question: () => ["What does the waggle dance encode?", "one two"],
    paths: () => [[folder], [join(folder, "bees.md")], [join(folder, "nothing.md")], ["/etc/passwd"]],
    source: () => ["name:crm-17", join(recordings, "nothing.wav"), "https://recording.invalid/a.mp3", "/etc/passwd"],
    path: () => ["manifest.json", "nothing.svg", "../x"],
  }

  return {
    /** Returns values for the fields of an operation that refer to what exists. */
    specialsOf: ({ path }: Operation): Specials => ({
      ...shared,
      // The topic runs and edits are those of the first clip.
      id: () => nonEmpty(path.startsWith("/documents") ? ids.documents : [...ids.clips.slice(0, 1), ...ids.clips]),
    }),
    /** Called before each request. */
    prepare: async (): Promise<void> => {
      if (sent++ % REFRESH_EVERY === 0) await refresh()
    },
  }
}
