import type { Browser } from "playwright-core"
import { describe, expect } from "vitest"
import { it, openEmptySite } from "./shared-service.ts"

const openSite = async (browser: Browser, url: string) => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(url)
  return page
}

/** Runs in the page: a recording of one second of silence as WAV, with a transcript of another tool. */
const submit = async (url: string) => {
  const header = new DataView(new ArrayBuffer(44))
  const text = (at: number, value: string) => {
    for (let i = 0; i < value.length; i++) header.setUint8(at + i, value.charCodeAt(i))
  }
  text(0, "RIFF")
  header.setUint32(4, 36 + 32_000, true)
  text(8, "WAVEfmt ")
  header.setUint32(16, 16, true)
  header.setUint16(20, 1, true)
  header.setUint16(22, 1, true)
  header.setUint32(24, 16_000, true)
  header.setUint32(28, 32_000, true)
  header.setUint16(32, 2, true)
  header.setUint16(34, 16, true)
  text(36, "data")
  header.setUint32(40, 32_000, true)
  const form = new FormData()
  form.set("transcription", "1\n00:00:00,000 --> 00:00:01,000\nBees dance\n")
  form.set("file", new Blob([header.buffer, new Uint8Array(32_000)]), "bees.wav")
  const response = await fetch(`${url}/jobs/audio?langauge=de`, {
    method: "POST",
    body: form,
    headers: { authorization: "Bearer of-any-kind" },
  })
  const { job_id, session_id } = await response.json()
  return {
    job_id,
    session_id,
    warnings: response.headers.get("earmark-warnings"),
    id: response.headers.get("x-request-id"),
  }
}

/** Runs in the page: waits for the last event of a job. */
const followJob = ({ url, jobId }: { url: string; jobId: string }): Promise<string> =>
  new Promise((resolve) => {
    const events = new EventSource(`${url}/jobs/${jobId}/events`)
    const finish = (outcome: string) => {
      events.close()
      resolve(outcome)
    }
    events.addEventListener("end", ({ data }) => finish(JSON.parse(data).status))
    events.onerror = () => finish("failed")
  })

/** Runs in the page: reads, changes and plays a clip, and returns the outcome of each. */
const useClip = async ({ url, id }: { url: string; id: string }) => {
  const outcome = (work: Promise<string | number | null>) => work.catch(() => "failed")
  const play = (crossOrigin: string | null) =>
    new Promise<string>((resolve) => {
      const audio = new Audio()
      audio.crossOrigin = crossOrigin
      audio.onloadedmetadata = () => resolve(`${audio.duration} s`)
      audio.onerror = () => resolve("failed")
      audio.src = `${url}/clips/${id}/audio`
    })
  const json = { "content-type": "application/json" }
  return {
    read: await outcome(fetch(`${url}/clips/${id}`).then(async (r) => (await r.json()).estimated_times)),
    etag: await outcome(fetch(`${url}/viz/data`).then((r) => (r.headers.get("etag") ? "an ETag" : null))),
    range: await outcome(
      fetch(`${url}/clips/${id}/audio`, { headers: { range: "bytes=0-3" } }).then((r) =>
        r.headers.get("content-range"),
      ),
    ),
    error: await outcome(fetch(`${url}/jobs/nope`).then(async (r) => (await r.json()).code)),
    write: await outcome(
      fetch(`${url}/clips/${id}`, { method: "PATCH", headers: json, body: '{"title":"Bees"}' }).then(
        async (r) => (await r.json()).title,
      ),
    ),
    audio: [await play("anonymous"), await play(null)],
    remove: await outcome(fetch(`${url}/clips/${id}`, { method: "DELETE" }).then((r) => r.status)),
  }
}

describe("a page of another origin", () => {
  it("reads, writes, streams and plays if the origin is allowed, and does none of it otherwise", async ({
    service,
    allowedSite,
    browser,
  }) => {
    const { url } = service
    const page = await openSite(browser, allowedSite.url)
    const { job_id, session_id, warnings, id } = await page.evaluate(submit, url)
    expect(warnings).toBe("unknown query parameter 'langauge' ignored")
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await page.evaluate(followJob, { url, jobId: job_id })).toBe("done")

    const otherSite = await openEmptySite()
    const foreign = await openSite(browser, otherSite.url)
    expect(await foreign.evaluate(submit, url).catch(() => "failed")).toBe("failed")
    expect(await foreign.evaluate(followJob, { url, jobId: job_id })).toBe("failed")
    expect(await foreign.evaluate(useClip, { url, id: session_id })).toEqual({
      read: "failed",
      etag: "failed",
      range: "failed",
      error: "failed",
      write: "failed",
      audio: ["failed", "failed"],
      remove: "failed",
    })

    expect(await page.evaluate(useClip, { url, id: session_id })).toEqual({
      read: true,
      etag: "an ETag",
      range: "bytes 0-3/32044",
      error: "not_found",
      write: "Bees",
      audio: ["1 s", "1 s"],
      remove: 204,
    })
    otherSite.close()
  })
})
