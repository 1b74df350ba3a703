import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { uuid5 } from "../../domain/ids.ts"
import { loadConfig } from "../../platform/config/config.ts"
import { listFeed } from "./list-feed.ts"

const item = (i: number) =>
  `<item><title>Episode ${i}</title><enclosure url="/audio/${i}.mp3" type="audio/mpeg"/></item>`
const WITH_PASSWORD =
  '<item><title>Private</title><enclosure url="http://user:word@127.0.0.2/a.mp3" type="audio/mpeg"/></item>'
const RSS = `<rss><channel><title>A podcast</title>${WITH_PASSWORD}${[1, 2, 3].map(item).join("")}</channel></rss>`

const server = createServer((request, response) => {
  if (request.url === "/away") response.writeHead(302, { location: "http://127.0.0.1:1/secret" }).end()
  else response.end(request.url === "/page" ? "<html><title>no</title></html>" : RSS)
})
let base: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.2", resolve))
  base = `http://127.0.0.2:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const list = (path: string, limit = 100) => {
  const port = String(new URL(base).port)
  const config = loadConfig({ SERVICE_FETCH_ALLOW: "127.0.0.2", SERVICE_FETCH_PORTS: `80,443,1,${port}` })
  return listFeed({ config }, { url: `${base}${path}`, limit }, new AbortController().signal)
}

describe("listFeed", () => {
  it("lists episodes with their clip IDs, up to the limit", async () => {
    const feed = await list("/feed.xml", 2)
    expect([feed.title, feed.total]).toEqual(["A podcast", 3])
    expect(feed.episodes.map((e) => e.title)).toEqual(["Episode 1", "Episode 2"])
    expect(feed.episodes[0]).toMatchObject({ url: `${base}/audio/1.mp3`, session_id: uuid5(`${base}/audio/1.mp3`) })
  })

  it("leaves out an episode that no job can fetch", async () => {
    expect((await list("/feed.xml")).episodes.map((e) => e.title)).toEqual(["Episode 1", "Episode 2", "Episode 3"])
  })

  it("rejects an HTML page and a redirect to a private address", async () => {
    await expect(list("/page")).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/not a podcast feed/),
    })
    await expect(list("/away")).rejects.toMatchObject({ code: "forbidden" })
  })
})
