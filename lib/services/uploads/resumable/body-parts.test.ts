import { expect, it } from "vitest"
import { splitBody } from "./body-parts.ts"

const never = new Promise<void>(() => undefined)

async function* bodyOf(...chunks: readonly (string | Error)[]) {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk
    yield Buffer.from(chunk)
  }
}
const textOf = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = ""
  for await (const chunk of chunks) text += Buffer.from(chunk).toString()
  return text
}

it("takes parts of a limited length, whatever the lengths of the chunks, and ignores empty ones", async () => {
  const body = splitBody(bodyOf("ab", "", "cdefg", "h"), never)
  expect([await textOf(body.take(3)), await textOf(body.take(3))]).toEqual(["abc", "def"])
  expect(await body.isAtEnd()).toBe(false)
  expect(await textOf(body.take(9))).toBe("gh")
  expect([await body.isAtEnd(), await textOf(body.take(9)), body.failure()]).toEqual([true, "", undefined])
})

it("knows the end of a body whose last part has exactly the limit", async () => {
  const body = splitBody(bodyOf("abc"), never)
  expect([await textOf(body.take(3)), await body.isAtEnd()]).toEqual(["abc", true])
  expect(await splitBody(bodyOf(), never).isAtEnd()).toBe(true)
})

it("ends with what has arrived if the connection breaks, and keeps the reason", async () => {
  const broken = new Error("the connection closed")
  const body = splitBody(bodyOf("ab", "c", broken), never)
  expect(await textOf(body.take(2))).toBe("ab")
  expect(body.failure()).toBeUndefined()
  expect(await textOf(body.take(9))).toBe("c")
  expect([await body.isAtEnd(), body.failure()]).toEqual([true, { error: broken }])
})

it("ends without a failure when it is stopped while it waits for more", async () => {
  let stop = (): void => undefined
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  async function* slow() {
    yield Buffer.from("a")
    await never
  }
  const body = splitBody(slow(), stopped)
  const text = textOf(body.take(9))
  stop()
  expect([await text, await body.isAtEnd(), body.failure()]).toEqual(["a", true, undefined])
})
