import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Feed } from "#lib/domain/feeds.ts"
import { uuid5 } from "#lib/domain/ids.ts"
import { runCli } from "#test/fixtures/cli.ts"

const item = (i: number) =>
  `<item><title>Episode ${i}</title><pubDate>Thu, 0${i} Feb 2024 10:00:00 GMT</pubDate><itunes:duration>1:0${i}:00</itunes:duration>
  <enclosure url="/audio/${i}.mp3" type="audio/mpeg"/></item>`
const RSS = `<rss><channel><title>A podcast</title>${[1, 2, 3, 4, 5].map(item).join("")}</channel></rss>`

let dir: string
const server = createServer((request, response) => {
  if (request.url === "/feed.xml") response.end(RSS)
  else if (request.url === "/page") response.end("<html><title>no</title></html>")
  else response.writeHead(404).end()
})
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "earmark-feed-"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve))
})
afterAll(() => {
  server.close()
  rmSync(dir, { recursive: true })
})

const port = () => (server.address() as AddressInfo).port
const address = (path: string) => `http://127.0.0.2:${port()}${path}`
const earmark = (...args: string[]) =>
  runCli(
    {
      SERVICE_DATA_DIR: dir,
      SERVICE_PROVIDER: "builtin",
      SERVICE_FETCH_ALLOW: "127.0.0.2",
      SERVICE_FETCH_PORTS: `80,443,${port()}`,
    },
    args,
  )

it("earmark feed lists episodes and queues the selected ones", { timeout: 120_000 }, async () => {
  const listed = await earmark("feed", address("/feed.xml"), "--limit", "4")
  expect([listed.code, listed.err]).toEqual([0, ""])
  const feed = JSON.parse(listed.out) as Feed
  expect([feed.title, feed.episodes.map((e) => e.title)]).toEqual([
    "A podcast",
    ["Episode 1", "Episode 2", "Episode 3", "Episode 4"],
  ])
  expect(feed.episodes[1]).toEqual({
    title: "Episode 2",
    url: address("/audio/2.mp3"),
    published_at: "2024-02-02T10:00:00.000Z",
    duration_s: 3720,
    session_id: uuid5(address("/audio/2.mp3")),
  })

  const sent = await earmark("feed", address("/feed.xml"), "--submit", "1,3-4,3")
  const { jobs } = JSON.parse(sent.out) as { jobs: { job_id: string; session_id: string; title: string }[] }
  expect(jobs.map((j) => [j.title, j.session_id])).toEqual(
    [1, 3, 4].map((i) => [`Episode ${i}`, uuid5(address(`/audio/${i}.mp3`))]),
  )
  const queued = JSON.parse((await earmark("jobs")).out) as {
    jobs: { job_id: string; status: string; title: string }[]
  }
  expect(queued.jobs.map((j) => [j.job_id, j.status]).sort()).toEqual(jobs.map((j) => [j.job_id, "queued"]).sort())

  for (const [args, code, message] of [
    [["feed", address("/feed.xml"), "--submit", "2-9"], 2, "--submit 2-9: use numbers from 1 to 5, for example 1,3-5"],
    [["feed", address("/page")], 2, "is not a podcast feed. Use the URL of its RSS or Atom file."],
    [["feed", address("/feed.xml"), "--limit", "0"], 2, "Must be a whole number from 1 to 1000"],
  ] as const)
    expect([args, await earmark(...args)]).toEqual([args, { code, out: "", err: expect.stringContaining(message) }])
})
