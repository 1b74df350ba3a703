import { afterEach, describe, expect, it, vi } from "vitest"
import { getMediaType, readChunks, readJson } from "./body.ts"

const requestOf = (body: BodyInit, type = "application/json") =>
  new Request("http://localhost", { method: "POST", body, headers: { "content-type": type } })

afterEach(() => {
  vi.useRealTimers()
})

describe("a JSON body", () => {
  it("may be as large as the limit", async () => {
    const body = '{"a":"xxxx"}'
    expect(await readJson(requestOf(body), body.length)).toEqual({ a: "xxxx" })
    await expect(readJson(requestOf(body), body.length - 1)).rejects.toMatchObject({ code: "too_large" })
  })

  it("is rejected with the limit in megabytes", async () => {
    await expect(readJson(requestOf(`"${"x".repeat(2 ** 21)}"`), 2 ** 21)).rejects.toThrow("the limit of 2 MB")
  })

  it.each([
    ["application/json", true],
    ["Application/JSON; charset=utf-8", true],
    ['application/json;charset="UTF8"', true],
    ["application/json; charset=us-ascii", true],
    ["application/json; charset=latin1", false],
    ["text/json", false],
  ])("of the type %s is accepted: %j", async (type, isAccepted) => {
    const reading = readJson(requestOf("{}", type), 100)
    if (isAccepted) expect(await reading).toEqual({})
    else await expect(reading).rejects.toMatchObject({ code: "unsupported_media" })
  })

  it("needs a type, and the error names another one", async () => {
    const untyped = new Request("http://localhost", { method: "POST", body: new Uint8Array([123, 125]) })
    await expect(readJson(untyped, 100)).rejects.toThrow(/^The body must be application\/json\.$/)
    await expect(readJson(requestOf("{}", "Text/Plain; a=b"), 100)).rejects.toThrow(
      "The body must be application/json, not text/plain.",
    )
  })
})

describe("the chunks of a body", () => {
  const collect = async (body: ReadableStream<Uint8Array> | null) => {
    const chunks: number[][] = []
    for await (const chunk of readChunks(body)) chunks.push([...chunk])
    return chunks
  }

  it("are none without a body", async () => expect(await collect(null)).toEqual([]))

  it("end with an error if the client disconnects", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("aborted")),
    })
    await expect(collect(body)).rejects.toMatchObject({
      code: "bad_request",
      message: "The connection closed before the request body was complete.",
    })
  })

  it("may take a minute each, and end with an error after it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    let send: (chunk: Uint8Array) => void = () => undefined
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (chunk) => controller.enqueue(chunk)
      },
    })
    const chunks = readChunks(body)
    for (let i = 0; i < 3; i++) {
      const next = chunks.next()
      await vi.advanceTimersByTimeAsync(59_999)
      send(Uint8Array.of(i))
      expect((await next).value).toEqual(Uint8Array.of(i))
    }
    const failing = expect(chunks.next()).rejects.toMatchObject({
      code: "bad_request",
      message: "The request body stopped arriving: no data for 60 seconds. Send it again.",
    })
    await vi.advanceTimersByTimeAsync(60_000)
    await failing
  })

  it("are not cancelled if the reader stops early", async () => {
    const cancel = vi.fn()
    const body = new ReadableStream<Uint8Array>({ pull: (c) => c.enqueue(Uint8Array.of(1)), cancel })
    for await (const _ of readChunks(body)) break
    expect(cancel).not.toHaveBeenCalled()
  })
})

it.each([
  ["Text/HTML ; charset=utf-8", "text/html"],
  ["", ""],
])("the media type of '%s' is '%s'", (type, expected) => {
  expect(getMediaType(new Headers({ "content-type": type }))).toBe(expected)
})
