import { expect, it } from "vitest"
import { readIfMatch } from "./if-match.ts"

it.each<[string | null, ReturnType<typeof readIfMatch>]>([
  [null, undefined],
  [" * ", "*"],
  ['"a-1"', ['"a-1"']],
  ['"a, b" ,"c"', ['"a, b"', '"c"']],
  ['W/"a", "b"', ['"b"']],
  ["a-1", ['"a-1"']],
  ["", ['""']],
])("reads If-Match: %s as %j", (header, expected) => {
  const request = new Request("http://localhost", { headers: header === null ? {} : { "if-match": header } })
  expect(readIfMatch(request)).toEqual(expected)
})
