import { describe, expect, expectTypeOf, it } from "vitest"
import type { ClipEntry } from "../domain/clips.ts"
import { createClient } from "./client/index.ts"

const answering = (body: unknown) => {
  const urls: string[] = []
  const send = async (url: unknown) => {
    urls.push(String(url))
    return Response.json(body)
  }
  return { client: createClient({ fetch: send as typeof fetch }), urls }
}

describe("the option fields", () => {
  it("selects fields of a clip, and the types say which", async () => {
    const { client, urls } = answering({ title: "A talk", voices: 2, extra: 1 })
    const clip = await client.clip("a", { fields: ["title", "voices"] })
    expect(clip).toEqual({ title: "A talk", voices: 2 })
    expect(urls).toEqual(["/clips/a?fields=title%2Cvoices"])
    expectTypeOf(clip).toEqualTypeOf<{ title: string; voices: number }>()
  })
  it("selects fields of the entries of a list, beside the query", async () => {
    const { client, urls } = answering({ clips: [{ id: "a", topics: [] }], next_cursor: "c" })
    const page = await client.clips({ limit: 1 }, { fields: ["id", "topics"] })
    expect(page).toEqual({ clips: [{ id: "a", topics: [] }], next_cursor: "c" })
    expect(urls).toEqual(["/clips?limit=1&fields=id%2Ctopics"])
    expectTypeOf(page.clips).toEqualTypeOf<Pick<ClipEntry, "id" | "topics">[]>()
    expectTypeOf(page.next_cursor).toEqualTypeOf<string | undefined>()
  })
  it("selects fields of the clip of a result, and of the map", async () => {
    const body = { job_id: "j", session_id: "a", status: "done", clip: { title: "A talk" } }
    const result = await answering(body).client.result("j", { fields: ["title"] })
    expect(result).toEqual(body)
    expectTypeOf(result.clip).toEqualTypeOf<{ title: string }>()
    const map = await answering({ clip_ids: ["a"] }).client.vizData({ fields: ["clip_ids"] })
    expect(map?.data).toEqual({ clip_ids: ["a"] })
    expectTypeOf(map!.data).toEqualTypeOf<{ clip_ids: string[] }>()
  })
  it("requires the fields that it names", async () => {
    const missing = answering({ voices: 2 }).client.clip("a", { fields: ["title", "voices"] })
    await expect(missing).rejects.toThrow("unexpected format at 'title'")
  })
})
