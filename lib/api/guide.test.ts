import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { ERROR_STATUS } from "../domain/errors.ts"

const guide = readFileSync(new URL("../../docs/http.md", import.meta.url), "utf8")

it("docs/http.md lists every error code with its status", () => {
  const rows = [...guide.matchAll(/^\| (\d{3}) \| ([^|]+) \|/gm)]
  const listed = rows.flatMap(([, status, codes]) =>
    [...codes!.matchAll(/`(\w+)`/g)].map((found) => [found[1], Number(status)]),
  )
  expect(Object.fromEntries(listed)).toEqual(ERROR_STATUS)
})
